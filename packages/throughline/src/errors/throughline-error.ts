const MARKER = Symbol.for("throughline.error");

/** Stable codes: callers may switch on them, so a code is never renamed. */
export type ErrorCode =
  | "embedder"
  | "forbidden"
  | "invalid-import"
  | "invalid-message"
  | "invalid-option"
  | "irreducible-context"
  | "model"
  | "not-found"
  | "secret-refused"
  | "server"
  | "session-busy"
  | "store"
  | "tape"
  | "token-ranks"
  | "undo-refused"
  | "unknown-format"
  | "unknown-provider"
  | "unreadable-transcript"
  | "workspace";

/**
 * The base of every error that Throughline throws on purpose.
 *
 * `isInstance` works across copies of the package, where `instanceof` does not.
 *
 * @example
 * try { parseTranscript(text); }
 * catch (error) { if (ThroughlineError.isInstance(error)) console.error(error.code, error.hint); }
 */
export class ThroughlineError extends Error {
  readonly code: ErrorCode;
  /** What to do next, in one sentence. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(error: unknown): error is ThroughlineError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}
