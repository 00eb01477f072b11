import { STATUS_CODES } from "node:http";
import { HTTPException } from "hono/http-exception";
import { type ErrorCode, StoreError, type StoreProblem, ThroughlineError } from "throughline";

/** Stable error codes for programs. */
export type ProblemCode =
  | "bad-request"
  | "body-too-large"
  | "conflict"
  | "foreign-host"
  | "foreign-origin"
  | "forbidden"
  | "idempotency-conflict"
  | "internal"
  | "irreducible-context"
  | "method-not-allowed"
  | "model-failed"
  | "model-not-offered"
  | "no-model"
  | "not-found"
  | "out-of-room"
  | "secret-refused"
  | "session-busy"
  | "stopping"
  | "timed-out"
  | "token-required"
  | "too-many-requests"
  | "unavailable"
  | "undo-refused"
  | "unsupported-media-type"
  | "unprocessable"
  | "websocket-unsupported";

/** Optional parts of a problem. */
export interface ProblemMore {
  readonly headers?: Readonly<Record<string, string>>;
  /** Invalid fields of the request. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** An error response, as defined by RFC 9457. */
export function problem(status: number, code: ProblemCode, detail: string, more: ProblemMore = {}): Response {
  const { headers, errors } = more;
  const title = STATUS_CODES[status] ?? "Error";
  const body = JSON.stringify({ type: "about:blank", title, status, code, detail, errors });
  const about = { "content-type": "application/problem+json", "content-length": String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...about, "cache-control": "no-store", ...headers } });
}

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

/** Converts an error to a response. Unexpected errors are reported and answered without details. */
export function errorProblem(error: unknown, onUnexpected: (error: unknown) => void): Response {
  const known = lookUp(error);
  if (known !== undefined && ThroughlineError.isInstance(error)) {
    const [status, code] = known;
    return problem(status, code, error.message, status === 503 ? RETRY : {});
  }
  if (error instanceof HTTPException && error.status < 500) {
    const code = error.status === 415 ? "unsupported-media-type" : "bad-request";
    return problem(error.status, code, error.message || "Could not parse the request. Check its body and headers.");
  }
  onUnexpected(error);
  return problem(
    500,
    "internal",
    "Internal error. Check whether the request took effect before you retry; the log of the server has the cause.",
  );
}

function lookUp(error: unknown): Known | undefined {
  if (error instanceof StoreError) return STORE[error.problem];
  return ThroughlineError.isInstance(error) ? KNOWN[error.code] : undefined;
}
