import { ThroughlineError } from "throughline";

/** A project on disk could not be read, although it is there. */
export class WorkspaceError extends ThroughlineError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("workspace", message, "Look whether git itself can read it: git log.", options);
  }
}
