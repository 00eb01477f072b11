const MARKER = Symbol.for("throughline.error");

/** Stable codes: callers may switch on them, so codes are never renamed. */
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
  | "unsupported-runtime"
  | "workspace";

/**
 * Base class of all errors that Throughline throws on purpose. The message has the failure and the advice.
 *
 * `isInstance` works across copies of the package; `instanceof` does not.
 *
 * @example
 * try {
 *   parseTranscript("not a transcript");
 * } catch (error) {
 *   if (ThroughlineError.isInstance(error)) console.error(error.code, error.message);
 * }
 */
export class ThroughlineError extends Error {
  /** Kind of the error, to switch on. */
  readonly code: ErrorCode;
  /** The failure: `message` without the advice. */
  readonly summary: string;
  /** The advice, in one or two sentences. Also the end of `message`. */
  readonly hint: string;

  constructor(code: ErrorCode, summary: string, hint: string, options?: { cause?: unknown }) {
    super(`${asSentence(summary)} ${hint}`, options);
    this.name = new.target.name;
    this.code = code;
    this.summary = asSentence(summary);
    this.hint = hint;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /**
   * Returns whether a value is an error of Throughline, from any copy of the package.
   *
   * @param error Any value, such as the one that `catch` gives you.
   *
   * @example
   * if (ThroughlineError.isInstance(error)) console.error(error.hint);
   */
  static isInstance(error: unknown): error is ThroughlineError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
