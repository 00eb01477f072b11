import { ThroughlineError } from "./throughline-error.ts";

/**
 * The caller may not change this item: a memory in the scope `system` with the option `isSystemReadOnly`.
 *
 * @example
 * try {
 *   await tl.memory.forget("m1");
 * } catch (error) {
 *   if (error instanceof ForbiddenError) console.error(error.message);
 * }
 */
export class ForbiddenError extends ThroughlineError {
  constructor(item: string, hint: string) {
    super("forbidden", `Cannot change ${item}: permission denied.`, hint);
  }
}
