import { server } from "../state.ts";

// The clip that plays; null: the rest pose.
export function clip_now() {
  return server.value.clips.find((clip) => clip.name === server.value.play.clip) ?? null;
}
