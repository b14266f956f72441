// "take 3": a name that is free.
export function free_name(taken: string[], what: string): string {
  for (let k = 1; ; ++k) if (!taken.includes(`${what} ${k}`)) return `${what} ${k}`;
}
