import type { ReactElement } from "react";
import { toast } from "sonner";
import { explainProblem } from "throughline/react";

/** The toaster of the memories, which moves into the sheet while that is open. */
export const TOASTER = "memories";

const PROBLEM_TIME = 8_000;
const NOTICE_TIME = 6_000;
/** The toaster begins its own time anew when it moves; these end when they should, and the latest of equal ones counts. */
const ends = new Map<string | number, ReturnType<typeof setTimeout>>();

function endAfter(id: string | number, time: number): void {
  clearTimeout(ends.get(id));
  ends.set(
    id,
    setTimeout(() => {
      ends.delete(id);
      toast.dismiss(id);
    }, time),
  );
}

const STAYS = { toasterId: TOASTER, duration: Number.POSITIVE_INFINITY } as const;

/** Says that something failed. The same words stand only once. */
export function sayProblem(words: string): void {
  endAfter(toast.error(words, { ...STAYS, id: words }), PROBLEM_TIME);
}

/** Says that something was done. */
export function sayDone(words: string): void {
  endAfter(toast.success(words, { ...STAYS, id: words }), NOTICE_TIME);
}

/** Shows something that can be acted on. */
export function show(content: (id: string | number) => ReactElement): void {
  endAfter(toast.custom(content, STAYS), NOTICE_TIME);
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
