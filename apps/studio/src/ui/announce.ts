/** Something to be read out once. */
export interface Announcement {
  readonly text: string;
  /** Counts up, so that the same text is announced again. */
  readonly turn: number;
}

let current: Announcement = { text: "", turn: 0 };
const listeners = new Set<() => void>();

/** Announces a text to screen readers without moving the focus. */
export function announce(text: string): void {
  current = { text, turn: current.turn + 1 };
  for (const listener of listeners) listener();
}

/** The last announcement. */
export const announcements = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  getSnapshot: (): Announcement => current,
};
