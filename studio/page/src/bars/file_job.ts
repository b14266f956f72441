// Parts that sections of jobs which write files share: asking before files are replaced, and progress with a button to stop.
import type { Command, Work } from "../connection/protocol.ts";
import { element } from "../widgets/dom.ts";
import { notice } from "../widgets/notices.ts";
import type { Studio } from "../studio.ts";

// Begins a job; where files are in its way, the user is asked whether they are replaced.
export async function begin_job(studio: Studio, command: (replace: boolean) => Command, replace = false): Promise<void> {
  try {
    await studio.connection.ask(command(replace));
  } catch (error) {
    const way = (error as Error & { in_the_way?: string[] }).in_the_way;
    if (way && confirm(`${way.join(", ")} ${way.length > 1 ? "are" : "is"} there already. Replace?`)) return begin_job(studio, command, true);
    notice((error as Error).message, "error");
  }
}

export const job_progress = (studio: Studio, work: Work): HTMLElement => element("div", { class: "progress" },
  element("progress", { max: 1, value: work.share }), element("span", {}, `${Math.round(100 * work.share)} % ${work.activity}`),
  element("button", { onclick: () => void studio.do({ do: "cancel" }) }, "Stop"));
