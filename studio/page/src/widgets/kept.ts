// Small things that the browser keeps for this page's address. A browser that keeps nothing is no error.

const prefix = "sinew.";

export function kept_text(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

// Null forgets it.
export function keep_text(key: string, text: string | null) {
  try {
    if (text === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, text);
  } catch {
    // the browser keeps nothing
  }
}

// A kept value, if it is there and `fits`.
export function kept_value<T>(key: string, fits: (value: unknown) => value is T): T | null {
  try {
    const value: unknown = JSON.parse(kept_text(key) ?? "null");
    return fits(value) ? value : null;
  } catch {
    return null;
  }
}
