import { STATUS_CODES } from "node:http";

/** Stable: programs may switch on them. */
export type ProblemCode =
  | "bad-request"
  | "body-too-large"
  | "foreign-host"
  | "foreign-origin"
  | "internal"
  | "method-not-allowed"
  | "model-failed"
  | "model-not-offered"
  | "no-model"
  | "not-found";

/** An answer that says what went wrong, as RFC 9457 has it. */
export function problem(
  status: number,
  code: ProblemCode,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify({ type: "about:blank", title: STATUS_CODES[status] ?? "Error", status, code, detail });
  const about = { "content-type": "application/problem+json", "content-length": String(Buffer.byteLength(body)) };
  return new Response(body, { status, headers: { ...about, "cache-control": "no-store", ...headers } });
}
