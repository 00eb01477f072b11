import { InvalidMessageError } from "../errors/invalid-message-error.ts";
import type { Emit } from "./transcript.ts";

/** Reads one thing; where it cannot be read, that is counted and the rest goes on. */
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
  // The stack or a string has an end; a record that is made to reach it must not end the reading.
  return error instanceof RangeError ? `nested too deeply, or too large: ${error.message}` : undefined;
}
