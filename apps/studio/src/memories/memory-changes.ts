import { Notifier } from "../app/notifier.ts";

interface Changes {
  /** Counts up with every change: lists and details are read again. */
  readonly version: number;
  /** The last change, for the notice and its undo. */
  readonly notice: { readonly text: string; readonly undo?: () => Promise<unknown> } | undefined;
}

/** Changes that this page made to memories. */
class MemoryChanges extends Notifier<Changes> {
  constructor() {
    super({ version: 0, notice: undefined });
  }

  /** Reports changed memories, with a notice for the user. */
  report(text: string, undo?: () => Promise<unknown>): void {
    const { version } = this.getSnapshot();
    this.set({ version: version + 1, notice: undo === undefined ? { text } : { text, undo } });
  }

  /** Reports a problem; nothing was changed. */
  fail(error: unknown): void {
    this.set({ notice: { text: error instanceof Error ? error.message : String(error) } });
  }

  dismiss(): void {
    this.set({ notice: undefined });
  }
}

export const memoryChanges = new MemoryChanges();
