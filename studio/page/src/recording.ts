// What a take cannot hold: poses by hand, and steps in the history that may bring some back.
import { server } from "./state.ts";

export const recording = () => server.value.take?.doing === "recording";

const posed = () => Object.keys(server.value.pose).length > 0 || server.value.carried.some((by) => by !== 0);

// Why nothing is posed at present; null where it may be.
export const no_pose_now = () =>
  recording() ? "A take holds what is done to the flesh, and no poses. Stop recording first (R)." : null;

// Why no take can be recorded at present; null where one can.
export const no_record_now = () =>
  posed() && !recording() ? "A take holds what is done to the flesh, and no poses. Give the pose back to the clip first." : null;
