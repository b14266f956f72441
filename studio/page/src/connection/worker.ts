// Off the main thread: the socket, decoding of frames, their normals. Requests the next frame when one was drawn, so
// that nothing queues; reconnects if the server is gone.
import { decode_frame, frame_character, type Hello, type ServerEvent, version } from "./protocol.ts";
import { cluster_normals, type Clusters, spread } from "../scene/normals.ts";
import type { DrawnFrame, FromWorker, ToWorker, Wanted } from "./worker_messages.ts";

interface Scope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}
const scope = self as unknown as Scope;
const say = (message: FromWorker, transfer: Transferable[] = []) => scope.postMessage(message, transfer);

let address = "";
let socket: WebSocket | null = null;
let last_id = 0;
let asked = false; // a requested frame has not arrived yet
let drawing = false; // the page has a frame that it has not drawn yet
let hand_moved = 0; // time of the last pointer movement without effect in a frame; 0: none
let newest_hand = 0; // id of that message
let tries = 0;
let sent: { id: number; ref: number }[] = []; // messages without effect in a frame yet
let applied_ref = 0;
const waiting = new Map<number, number>(); // id to ref

let of: { number: number; dressed: Clusters; plain: Clusters } | null = null;
let wanted: Wanted = { dressed: "flesh", plain: false, ghost: false };
let sums = new Float32Array(0), plain_sums = new Float32Array(0);

// ---- memory shared with the page
const spare = new Map<number, ArrayBuffer[]>();
function take(floats: number): Float32Array {
  const buffer = spare.get(4 * floats)?.pop();
  return buffer ? new Float32Array(buffer) : new Float32Array(floats);
}
function give_back(buffers: ArrayBuffer[]) {
  for (const buffer of buffers) {
    const same = spare.get(buffer.byteLength) ?? [];
    if (same.length < 6) same.push(buffer);
    spare.set(buffer.byteLength, same);
  }
}

function send(command: object, ref: number | null) {
  if (!socket || socket.readyState !== WebSocket.OPEN) {
    if (ref !== null) say({ kind: "reply", ref, reply: {}, error: "The studio's program is not there at the moment." });
    return;
  }
  const id = ++last_id;
  if (ref !== null) {
    waiting.set(id, ref);
    sent.push({ id, ref });
  }
  socket.send(JSON.stringify({ id, ...command }));
  if (ref !== null && ("at" in command || hands.has((command as { do: string }).do))) {
    hand_moved = performance.now();
    newest_hand = id;
    ask_for_frame();
  }
}

// After a pointer movement, a frame that the page has not drawn yet is replaced by a newer one.
const hands = new Set(["drag", "carry", "pose", "reach"]); // beside the commands that act at a point of the skin
const hand_patience = 150; // milliseconds
const hands_wait = () => hand_moved > 0 && performance.now() - hand_moved < hand_patience;

function ask_for_frame() {
  if (asked || (drawing && !hands_wait()) || !socket || socket.readyState !== WebSocket.OPEN) return;
  asked = true;
  send({ do: "next" }, null);
}

function with_normals(clusters: Clusters, positions: Float32Array, memory: Float32Array, normals: Float32Array) {
  cluster_normals(clusters, positions, memory);
  spread(clusters.of, memory, normals);
}

function frame_came(bytes: ArrayBuffer) {
  asked = false;
  if (!of || frame_character(bytes) !== of.number) {
    // Of a character that the page has not loaded yet: retry soon.
    setTimeout(ask_for_frame, 30);
    return;
  }
  const received = performance.timeOrigin + performance.now();
  const frame = decode_frame(bytes, take);
  while (sent.length > 0 && sent[0].id <= frame.applied) applied_ref = sent.shift()!.ref;
  if (frame.applied >= newest_hand) hand_moved = 0;
  const { dressed, plain } = of;
  const source = wanted.dressed === "goal" ? frame.goal : wanted.dressed === "flesh" ? frame.positions : null;
  const drawn: DrawnFrame = {
    number: frame.number, applied: frame.applied, elapsed: frame.elapsed, clip_time: frame.clip_time, behind: frame.behind,
    vertices: frame.vertices, joints: frame.joints, character: frame.character, ref: applied_ref, received,
    positions: frame.positions, plain_normals: null, dressed_positions: null, dressed_normals: null, goal: frame.goal,
    goal_normals: null, joint: frame.joint.slice(), heat: frame.heat?.slice() ?? null, heat_scale: frame.heat_scale,
    measures: frame.measures, cells_number: frame.cells_number, cells: frame.cells, beside_positions: null, beside_normals: null,
    beside_measures: frame.beside_measures, balls: frame.balls, muscles: frame.muscles,
  };
  if (source) {
    drawn.dressed_positions = take(3 * dressed.of.length);
    drawn.dressed_normals = take(3 * dressed.of.length);
    spread(dressed.vertex_of, source, drawn.dressed_positions);
    with_normals(dressed, source, sums, drawn.dressed_normals);
  }
  if (frame.beside) {
    drawn.beside_positions = take(3 * dressed.of.length);
    drawn.beside_normals = take(3 * dressed.of.length);
    spread(dressed.vertex_of, frame.beside, drawn.beside_positions);
    with_normals(dressed, frame.beside, sums, drawn.beside_normals);
    give_back([frame.beside.buffer as ArrayBuffer]);
  }
  if (wanted.plain) {
    drawn.plain_normals = take(3 * frame.vertices);
    with_normals(plain, frame.positions, plain_sums, drawn.plain_normals);
  }
  if (wanted.ghost && frame.goal) {
    drawn.goal_normals = take(3 * frame.vertices);
    with_normals(plain, frame.goal, plain_sums, drawn.goal_normals);
  }
  const transfer = [drawn.positions, drawn.plain_normals, drawn.dressed_positions, drawn.dressed_normals, drawn.goal,
    drawn.goal_normals, drawn.joint, drawn.heat, drawn.cells, drawn.beside_positions, drawn.beside_normals].flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
  drawing = true;
  say({ kind: "frame", frame: drawn }, transfer);
  ask_for_frame();
}

function text_came(text: string) {
  const message = JSON.parse(text) as { re?: number; error?: string; event?: string };
  if (message.event) {
    say({ kind: "event", event: message as unknown as ServerEvent });
    return;
  }
  const ref = message.re === undefined ? undefined : waiting.get(message.re);
  if (message.re !== undefined) waiting.delete(message.re);
  if (ref !== undefined) say({ kind: "reply", ref, reply: message as Record<string, unknown>, error: message.error });
}

function gone() {
  socket = null;
  asked = false;
  drawing = false;
  of = null; // the page loads it again, since the number may be another character now
  for (const ref of waiting.values()) say({ kind: "reply", ref, reply: {}, error: "The connection broke before this was done." });
  waiting.clear();
  sent = [];
  say({ kind: "link", link: "down" });
  ++tries;
  setTimeout(connect, Math.min(250 * tries, 1000));
}

// A plain request tells why a socket was refused: another program listens there, or one with another token.
async function why_refused() {
  try {
    const answer = await fetch(address.replace(/^ws/, "http").replace("/session", "/"));
    if (answer.status === 403)
      say({ kind: "link", link: "refused", error: "The studio was started anew and has another address now: open the one that it printed." });
  } catch {
    // nobody is listening
  }
}

function connect() {
  const opening = new WebSocket(address);
  opening.binaryType = "arraybuffer";
  socket = opening;
  last_id = newest_hand = hand_moved = 0;
  opening.onopen = () => {
    tries = 0;
    opened = true;
    const id = ++last_id;
    opening.send(JSON.stringify({ id, do: "hello", version }));
    opening.onmessage = (event) => {
      if (typeof event.data !== "string") return;
      const reply = JSON.parse(event.data) as Partial<Hello> & { re?: number; error?: string };
      if (reply.re !== id) return;
      if (reply.error) {
        say({ kind: "link", link: "refused", error: reply.error });
        return;
      }
      opening.onmessage = (message) => {
        if (typeof message.data === "string") text_came(message.data);
        else frame_came(message.data as ArrayBuffer);
      };
      // The page fetches the state first, once the connection is up.
      if (reply.state) say({ kind: "event", event: { event: "state", state: reply.state } });
      say({ kind: "link", link: "up", program: reply.program });
      ask_for_frame();
    };
  };
  let opened = false;
  opening.onclose = () => {
    gone();
    if (!opened) void why_refused();
  };
}

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case "start":
      address = data.address;
      connect();
      break;
    case "send": send(data.command, data.ref); break;
    case "character":
      of = { number: data.number, dressed: data.dressed, plain: data.plain };
      sums = new Float32Array(3 * data.dressed.count);
      plain_sums = new Float32Array(3 * data.plain.count);
      spare.clear();
      ask_for_frame();
      break;
    case "want": wanted = data.wanted; break;
    case "drawn":
      drawing = false;
      give_back(data.buffers);
      ask_for_frame();
      break;
  }
};
