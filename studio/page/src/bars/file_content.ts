// What a file is, before it is sent: a character, motion, or both.

export interface FileContent { character: boolean; motion: boolean; clips: number }

const nothing: FileContent = { character: false, motion: false, clips: 0 };

// By the JSON of a glTF file.
export function content_of_gltf(text: string): FileContent {
  try {
    const json = JSON.parse(text) as { meshes?: unknown[]; animations?: unknown[] };
    const clips = json.animations?.length ?? 0;
    return { character: (json.meshes?.length ?? 0) > 0, motion: clips > 0, clips };
  } catch {
    return nothing;
  }
}

// The length of the JSON chunk of a .glb, from its first 20 bytes; null: it is none.
export function json_length(head: ArrayBuffer): number | null {
  if (head.byteLength < 20) return null;
  const view = new DataView(head), magic = 0x46546c67, json = 0x4e4f534a;
  return view.getUint32(0, true) === magic && view.getUint32(16, true) === json ? view.getUint32(12, true) : null;
}

// A file that cannot be read is a character by its ending: the server says what is wrong with it.
export async function content_of(file: File): Promise<FileContent> {
  if (/\.(bvh|vrma|json)$/i.test(file.name)) return { character: false, motion: true, clips: 1 };
  if (!/\.(glb|vrm|gltf)$/i.test(file.name)) return { ...nothing, character: true };
  const length = json_length(await file.slice(0, 20).arrayBuffer());
  const found = content_of_gltf(await (length === null ? file : file.slice(20, 20 + length)).text());
  return found.character || found.motion ? found : { ...nothing, character: true };
}
