import type { ReactElement } from "react";
import { toast } from "sonner";
import { explainProblem } from "throughline/react";

/** The toaster of the memories, which moves into the sheet while that is open. */
export const TOASTER = "memories";

const PROBLEM_SHOWN_FOR = 8_000;
const running = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Counts the time of a toast here: a toaster that moves into the sheet or out of it would begin anew. The same words are
 * one toast, and their time begins again.
 */
function endLater(id: string, milliseconds: number): void {
  clearTimeout(running.get(id));
  const timer = setTimeout(() => endToast(id), milliseconds);
  running.set(id, timer);
}

export function endToast(id: string): void {
  clearTimeout(running.get(id));
  running.delete(id);
  toast.dismiss(id);
}

/** What is said of one conversation is not said in the next. */
export function endAllToasts(): void {
  for (const id of [...running.keys()]) endToast(id);
}

export function sayProblem(words: string): void {
  toast.error(words, { id: words, toasterId: TOASTER, duration: Number.POSITIVE_INFINITY });
  endLater(words, PROBLEM_SHOWN_FOR);
}

/** Says that something was done. */
export function sayDone(words: string, milliseconds = PROBLEM_SHOWN_FOR): void {
  toast.success(words, { id: words, toasterId: TOASTER, duration: Number.POSITIVE_INFINITY });
  endLater(words, milliseconds);
}

/** Shows a notice for some time; another one with the same id takes its place. */
export function showNotice(id: string, notice: ReactElement, milliseconds: number): void {
  toast.custom(() => notice, { id, toasterId: TOASTER, duration: Number.POSITIVE_INFINITY });
  endLater(id, milliseconds);
}

/** Does something that can fail, and says so where it does. */
export async function tryTo<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    sayProblem(explainProblem(error));
    return undefined;
  }
}
