// Files that were opened last, as the browser keeps them. Pure, but for the browser's store.
import { keep_text, kept_value } from "../widgets/kept.ts";

export interface RecentFile { name: string; path: string }

const key = "recent", most = 4;

const are_files = (value: unknown): value is RecentFile[] =>
  Array.isArray(value) && value.every((one: RecentFile) => typeof one?.name === "string" && typeof one.path === "string");

// The list with this file at its beginning.
export const with_recent = (list: RecentFile[], file: RecentFile): RecentFile[] => [file, ...list.filter(({ path }) => path !== file.path)].slice(0, most);

// Those that lie in folders which this studio may open.
export const that_open = (list: RecentFile[], folders: string[]): RecentFile[] =>
  list.filter(({ path }) => !path.includes("/../") && folders.some((folder) => path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)));

export const recent_files = (): RecentFile[] => kept_value(key, are_files) ?? [];
export const remember_file = (file: RecentFile) => keep_text(key, JSON.stringify(with_recent(recent_files(), file)));
export const forget_file = (path: string) => keep_text(key, JSON.stringify(recent_files().filter((one) => one.path !== path)));
