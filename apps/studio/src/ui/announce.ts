/** Something to be read out once. */
export interface Announcement {
  readonly text: string;
  /** Counts up, so that the same words are heard again. */
  readonly turn: number;
}

let current: Announcement = { text: "", turn: 0 };
const listeners = new Set<() => void>();

/** Says something to those who hear the page, without moving the focus. */
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
