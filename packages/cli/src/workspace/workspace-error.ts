import { ThroughlineError } from "throughline";

/** A project on disk exists but cannot be read. */
export class WorkspaceError extends ThroughlineError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("workspace", message, "Check that git can read it: git log.", options);
  }
}
