// Observable values. The server's state is one store, filled by its events alone; the page's own state (the selected
// tool, display options) is another.

export class Store<T extends object> {
  private watchers: { keys: (keyof T)[]; run: () => void }[] = [];
  constructor(public readonly value: T) {}

  // Runs the callback at once, and after each change of one of these keys.
  watch(keys: (keyof T)[], run: () => void) {
    this.watchers.push({ keys, run });
    run();
  }

  change(some: Partial<T>) {
    const changed = (Object.keys(some) as (keyof T)[]).filter((key) => this.value[key] !== some[key]);
    Object.assign(this.value, some);
    for (const watcher of this.watchers) if (watcher.keys.some((key) => changed.includes(key))) watcher.run();
  }
}
