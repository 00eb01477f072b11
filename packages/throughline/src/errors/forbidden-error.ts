import { ThroughlineError } from "./throughline-error.ts";

/** Something that the caller may see, perhaps, and may not change. */
export class ForbiddenError extends ThroughlineError {
  constructor(what: string, hint: string) {
    super("forbidden", `${what} may not be changed.`, hint);
  }
}
