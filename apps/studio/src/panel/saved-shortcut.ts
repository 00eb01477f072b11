import { DEFAULT_SHORTCUT } from "./shortcut.ts";

const NAME = "throughline.panel.shortcut";

const listeners = new Set<() => void>();
/** A value that the device does not store lasts until the tab is closed. */
let unwritten: string | undefined;

function tell(): void {
  for (const listener of listeners) listener();
}

/** The keys that open the panel, kept on the device. */
export const savedShortcut = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    window.addEventListener("storage", listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener("storage", listener);
    };
  },

  getSnapshot(): string {
    if (unwritten !== undefined) return unwritten;
    try {
      return localStorage.getItem(NAME) || DEFAULT_SHORTCUT;
    } catch {
      return DEFAULT_SHORTCUT;
    }
  },

  save(shortcut: string): void {
    unwritten = undefined;
    try {
      localStorage.setItem(NAME, shortcut);
    } catch {
      unwritten = shortcut;
    }
    tell();
  },
};
