import { ThroughlineError } from "./throughline-error.ts";

/** An id or a handle that the session does not know. */
export class NotFoundError extends ThroughlineError {
  constructor(what: string) {
    super("not-found", `${what} is not in this session.`, "Check the id; handles are written in the masks themselves.");
  }
}
