// Temporary messages at the bottom of the page.
import { by_id, element, icon } from "./dom.ts";
import { icons } from "./icons.ts";

export type NoticeKind = "note" | "done" | "error";

const stopped = "It was stopped."; // the server's answer to a command that gave way to the user's next one: no fault

export function notice(sentence: string, kind: NoticeKind = "note") {
  if (sentence === stopped) kind = "note";
  const list = by_id("notices");
  for (const shown of list.children) if (shown.firstChild?.textContent === sentence) shown.remove();
  while (list.children.length > 2) list.firstElementChild!.remove();
  const close = element("button", { class: "quiet", title: "Close", "aria-label": "Close" }, icon(icons.close));
  const shown = element("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" },
    element("span", {}, sentence), close);
  close.addEventListener("click", () => shown.remove());
  list.append(shown);
  setTimeout(() => shown.remove(), kind === "error" ? 12000 : 5000);
}
