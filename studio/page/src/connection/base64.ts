// Decodes numbers that the server sends as base64 text.

function bytes_of(text: string): ArrayBuffer {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return bytes.buffer as ArrayBuffer;
}

export const floats_of = (text: string): Float32Array => new Float32Array(bytes_of(text));
export const words_of = (text: string): Uint32Array => new Uint32Array(bytes_of(text));
