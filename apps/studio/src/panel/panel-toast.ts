import { toast } from "sonner";
import { explainProblem } from "throughline/react";

/** The toaster of the memories, which moves into the sheet while that is open. */
export const TOASTER = "memories";

export function sayProblem(words: string): void {
  toast.error(words, { toasterId: TOASTER, duration: 8_000 });
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
