// What takes cannot hold: user poses, and undo steps that may restore some.
import { server } from "./state.ts";

export const recording = () => server.value.take?.doing === "recording";

const posed = () => Object.keys(server.value.pose).length > 0 || server.value.carried.some((by) => by !== 0);

// Why nothing can be posed at present; null if posing is possible.
export const no_pose_now = () =>
  recording() ? "A take holds what is done to the flesh, and no poses. Stop recording first (R)." : null;

// Why no take can be recorded at present; null if recording is possible.
export const no_record_now = () =>
  posed() && !recording() ? "A take holds what is done to the flesh, and no poses. Give the pose back to the clip first." : null;
