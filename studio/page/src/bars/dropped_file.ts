// A file that is dropped on the page, or chosen: a character is opened, motion goes to the character that is there, and of
// a file that has both the user says which.
import { element, fill } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import { send_file } from "../connection/send_file.ts";
import { page, server } from "../state.ts";
import type { Studio } from "../studio.ts";
import { content_of, type FileContent } from "./file_content.ts";
import { add_motion_file } from "./motion_card.ts";

export async function open_character(studio: Studio, file: File) {
  if (!/\.(glb|vrm|gltf|obj)$/i.test(file.name)) {
    notice(`'${file.name}' is no .glb, .gltf, .vrm or .obj. Export the character as glTF binary (.glb) and drop that.`, "error");
    return;
  }
  try {
    await send_file(studio.connection, "/open", file);
  } catch (error) {
    notice((error as Error).message, "error");
  }
}

const question = element("div", { class: "question", role: "dialog", hidden: true });

function ask(file: File, { clips }: FileContent): Promise<"open" | "motion" | "neither"> {
  if (!question.isConnected) document.body.append(question);
  return new Promise((answered) => {
    const answer = (word: "open" | "motion" | "neither") => () => {
      question.hidden = true;
      removeEventListener("keydown", on_escape, true);
      answered(word);
    };
    const on_escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      answer("neither")();
    };
    addEventListener("keydown", on_escape, true);
    const motion = element("button", { class: "main", onclick: answer("motion") }, "Use its motion");
    fill(question, element("p", {}, `${file.name} is a character with ${clips === 1 ? "a clip" : `${clips} clips`}.`),
      element("div", { class: "buttons" }, motion, element("button", { onclick: answer("open") }, "Open this character"),
        element("button", { class: "quiet", onclick: answer("neither") }, "Neither")));
    question.setAttribute("aria-label", `What to do with ${file.name}`);
    question.hidden = false;
    motion.focus();
  });
}

export async function take_file(studio: Studio, file: File) {
  const { character } = server.value, content = await content_of(file);
  if (!character) {
    if (content.character) return open_character(studio, file);
    return notice(`${file.name} is motion. Open a character first, then drop it again: the character moves by it.`);
  }
  // The start screen asks for a character; and no motion was meant for a sample that nobody chose.
  const asked = content.character && content.motion && !character.look && !page.value.start_open;
  const word = asked ? await ask(file, content) : content.character ? "open" : "motion";
  if (word === "open") await open_character(studio, file);
  if (word === "motion") await add_motion_file(file);
}
