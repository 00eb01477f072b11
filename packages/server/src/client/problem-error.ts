/** What a server answered in place of what was asked for. */
export class ProblemError extends Error {
  readonly status: number;
  /** Stable: `not-found`, `session-busy`. */
  readonly code: string;
  /** Where in the request something is wrong, where that is what it is. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, problem: Partial<Pick<ProblemError, "code" | "errors">> & { readonly detail?: string }) {
    super(problem.detail ?? `The server answered ${status}.`);
    this.name = "ProblemError";
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.errors = problem.errors ?? [];
  }
}
