import { InvalidMessageError } from "../errors/input-errors.ts";
import type { Emit } from "./transcript.ts";

/** Reads one record. An unreadable record is counted as skipped, and reading continues. */
export function skipBroken(emit: Emit, line: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    const text = problemOf(error);
    if (text === undefined) throw error;
    emit({ type: "skipped", skipped: { line, kind: "broken", text } });
  }
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidMessageError) return error.problem;
  // A record that overflows the stack or the maximum string length must not stop the reading.
  return error instanceof RangeError ? `nested too deeply, or too large: ${error.message}` : undefined;
}
