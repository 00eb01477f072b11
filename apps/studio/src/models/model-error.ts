const MARKER = Symbol.for("throughline.studio.model-error");

/** Problem code of a model; the message is for a person. */
export type ModelProblem =
  | "broken-answer"
  | "busy"
  | "failed"
  | "invalid-address"
  | "lost"
  | "memory"
  | "no-such-model"
  | "not-allowed"
  | "closed"
  | "refused-key"
  | "silent"
  | "storage"
  | "too-long"
  | "unavailable"
  | "unreachable";

/** A failure of a model. Its message for a person has whole sentences: what happened, what is safe, and what to do. */
export class ModelError extends Error {
  readonly problem: ModelProblem;

  constructor(problem: ModelProblem, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.problem = problem;
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(error: unknown): error is ModelError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

/** Message of any thrown value: workers and libraries throw plain strings too. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return typeof error === "string" ? error : String(error);
}
