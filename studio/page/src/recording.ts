// Whether a take is being recorded: what is done to the flesh, poses, gravity and tissue.
import { server } from "./state.ts";

export const recording = () => server.value.take?.doing === "recording";
