import { STATUS_CODES } from "node:http";
import { type ProblemCode, problem } from "../problem.ts";
import type { Wire } from "./wire/wire.ts";

/** Anthropic's error types by status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
};

const GEMINI_STATUSES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  502: "UNAVAILABLE",
};

/** An RFC 9457 problem that also has the fields of the provider's own errors, for clients that expect them. */
export function wireProblem(family: Wire["family"], status: number, code: ProblemCode, detail: string): Response {
  const { headers } = problem(status, code, detail);
  const title = STATUS_CODES[status] ?? "Error";
  const content = { type: "about:blank", title, status, code, detail, ...shapeOf(family, status, code, detail) };
  const body = JSON.stringify(content);
  headers.set("content-length", String(Buffer.byteLength(body)));
  return new Response(body, { status, headers });
}

function shapeOf(family: Wire["family"], status: number, code: ProblemCode, message: string): object {
  if (family === "openai") {
    const type = status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message, type, param: null, code } };
  }
  if (family === "gemini") {
    const name = GEMINI_STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
    return { error: { code: status, message, status: name } };
  }
  const type = status < 500 ? (ANTHROPIC_TYPES[status] ?? "invalid_request_error") : "api_error";
  return { type: "error", error: { type, message } };
}
