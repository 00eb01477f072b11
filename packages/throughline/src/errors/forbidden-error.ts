import { ThroughlineError } from "./throughline-error.ts";

/** The caller may not change this item. */
export class ForbiddenError extends ThroughlineError {
  constructor(item: string, hint: string) {
    super("forbidden", `Cannot change ${item}: permission denied.`, hint);
  }
}
