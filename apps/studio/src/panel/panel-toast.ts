import type { ReactNode } from "react";
import { explainProblem } from "throughline/react";
import { Notifier } from "../app/notifier.ts";

/** A message that is shown for some seconds. */
interface Toast {
  readonly id: string;
  readonly kind: "problem" | "done" | "plain";
  readonly content: ReactNode;
}

const PROBLEM_TIME = 8_000;
const NOTICE_TIME = 6_000;
const MAX_TOASTS = 3;

/** The current notice about memories. It outlives the components that show it, and has one timer. */
class Toasts extends Notifier<{ readonly toasts: readonly Toast[] }> {
  readonly #ends = new Map<string, ReturnType<typeof setTimeout>>();

  constructor() {
    super({ toasts: [] });
  }

  /** A toast with the same id replaces the previous one and restarts its timer. */
  show(toast: Toast, time: number): void {
    const others = this.getSnapshot().toasts.filter(({ id }) => id !== toast.id);
    this.set({ toasts: [...others, toast].slice(-MAX_TOASTS) });
    clearTimeout(this.#ends.get(toast.id));
    this.#ends.set(
      toast.id,
      setTimeout(() => this.dismiss(toast.id), time),
    );
  }

  dismiss(id: string): void {
    clearTimeout(this.#ends.get(id));
    this.#ends.delete(id);
    this.set({ toasts: this.getSnapshot().toasts.filter((toast) => toast.id !== id) });
  }

  /** A notice ends with its conversation. */
  dismissAll(): void {
    for (const { id } of this.getSnapshot().toasts) this.dismiss(id);
  }
}

export const panelToasts = new Toasts();

/** Shows a failure. */
export function sayProblem(words: string): void {
  panelToasts.show({ id: words, kind: "problem", content: words }, PROBLEM_TIME);
}

/** Shows a success. */
export function sayDone(words: string): void {
  panelToasts.show({ id: words, kind: "done", content: words }, NOTICE_TIME);
}

/** Shows something that can be acted on. */
export function show(id: string, content: ReactNode): void {
  panelToasts.show({ id, kind: "plain", content }, NOTICE_TIME);
}

/** Runs an action that may fail, and shows its failure. */
export async function tryTo<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    sayProblem(explainProblem(error));
    return undefined;
  }
}
