/**
 * An error response of the server.
 *
 * @example
 * await createClient()
 *   .memories.get("mem_1")
 *   .catch((error) => {
 *     if (!(error instanceof ProblemError) || error.code !== "not-found") throw error;
 *   });
 */
export class ProblemError extends Error {
  readonly status: number;
  /** Stable error code, such as `not-found` or `session-busy`. */
  readonly code: string;
  /** Invalid fields of the request, if there are any. */
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];

  constructor(status: number, problem: Partial<Pick<ProblemError, "code" | "errors">> & { readonly detail?: string }) {
    super(problem.detail ?? `The server answered with status ${status}.`);
    this.name = "ProblemError";
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.errors = problem.errors ?? [];
  }
}
