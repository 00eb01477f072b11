import { HTTPException } from "hono/http-exception";
import { type ErrorCode, StoreError, type StoreProblem, ThroughlineError } from "throughline";
import { type ProblemCode, problem } from "./problem.ts";

type Known = readonly [status: number, code: ProblemCode];

const KNOWN: Readonly<Partial<Record<ErrorCode, Known>>> = {
  forbidden: [403, "forbidden"],
  "invalid-import": [400, "bad-request"],
  "invalid-message": [400, "bad-request"],
  "invalid-option": [400, "bad-request"],
  "irreducible-context": [422, "irreducible-context"],
  model: [502, "model-failed"],
  embedder: [502, "model-failed"],
  "not-found": [404, "not-found"],
  "secret-refused": [422, "secret-refused"],
  "session-busy": [409, "session-busy"],
  "undo-refused": [409, "undo-refused"],
};

const STORE: Readonly<Partial<Record<StoreProblem, Known>>> = {
  busy: [503, "unavailable"],
  closed: [503, "stopping"],
  "duplicate-id": [409, "conflict"],
  full: [507, "out-of-room"],
  unavailable: [503, "unavailable"],
};

const RETRY = { headers: { "retry-after": "1" } };

/** What a caller is told of an error, and whether it is theirs to know: everything else is ours. */
export function errorProblem(error: unknown, onUnexpected: (error: unknown) => void): Response {
  const known = lookUp(error);
  if (known !== undefined && ThroughlineError.isInstance(error)) {
    const [status, code] = known;
    return problem(status, code, `${error.message} ${error.hint}`, status === 503 ? RETRY : {});
  }
  if (error instanceof HTTPException && error.status < 500) {
    const code = error.status === 415 ? "unsupported-media-type" : "bad-request";
    return problem(error.status, code, error.message || "The request cannot be read.");
  }
  onUnexpected(error);
  return problem(500, "internal", "Something went wrong here. What was asked for may not have been done.");
}

function lookUp(error: unknown): Known | undefined {
  if (error instanceof StoreError) return STORE[error.problem];
  return ThroughlineError.isInstance(error) ? KNOWN[error.code] : undefined;
}
