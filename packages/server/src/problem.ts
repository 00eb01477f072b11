import { STATUS_CODES } from "node:http";

/** Stable: programs may switch on them. */
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

/** What a problem says beside its code. */
export interface ProblemMore {
  readonly headers?: Readonly<Record<string, string>>;
  /** Where in the request something is wrong. */
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** An answer that says what went wrong, as RFC 9457 has it. */
export function problem(status: number, code: ProblemCode, detail: string, more: ProblemMore = {}): Response {
  const { headers, errors } = more;
  const title = STATUS_CODES[status] ?? "Error";
  const body = JSON.stringify({ type: "about:blank", title, status, code, detail, errors });
  const about = { "content-type": "application/problem+json", "content-length": String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...about, "cache-control": "no-store", ...headers } });
}
