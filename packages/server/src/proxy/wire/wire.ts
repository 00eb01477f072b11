import { STATUS_CODES } from "node:http";
import type { Message, ReportedUsage } from "throughline";
import { isRecord, type JsonRecord, stringField } from "throughline/internal/util";
import { type ProblemCode, problem } from "../../problem.ts";
import type { Openings } from "../upstream/event-stream.ts";

/** A request to a model, independent of its API. */
export interface RequestedTurn {
  readonly modelId: string;
  /** The whole system prompt as one text. */
  readonly system: string;
  /** The conversation without the system prompt. */
  readonly messages: readonly Message[];
  /** Other content that takes tokens: tool definitions, the reply format. */
  readonly definitions: readonly unknown[];
  /** Tokens reserved for the reply; 0 if the reply does not reduce the input. */
  readonly maxTokens: number | undefined;
  /** Id of the response that the request continues, if the upstream stores the conversation. */
  readonly previous?: string | undefined;
  /** Why the model's input cannot be known: the upstream stores something that never passed through here. */
  readonly unknown?: string | undefined;
}

/** Replacements for a request; fields that are not set stay unchanged. */
interface Rewrite {
  /** The whole conversation. */
  readonly messages?: readonly Message[] | undefined;
  /** Memories to add after the system prompt. */
  readonly memories?: string | undefined;
}

/** A model's answer. */
export interface Answer {
  /** The messages for the session; empty if there are several choices. */
  readonly messages: readonly Message[];
  readonly usage: ReportedUsage | undefined;
  /** Id of the response, if the upstream stores it and a request can continue it. */
  readonly id?: string | undefined;
  /** Other forms in which clients send the answer back, with references in place of items. */
  readonly named?: readonly (readonly Message[])[] | undefined;
}

/** Reads a model's response while it arrives. */
export interface AnswerReader {
  /** The data of one stream event. */
  event(data: string): void;
  /** The body of a non-streaming response. */
  body(json: unknown): void;
  /** True if the answer is complete. */
  readonly isFinished: boolean;
  /** True if more may follow after its finish event: the answer is complete when the stream ends. */
  readonly isOpenEnded?: boolean;
  /** The upstream's error in the middle of the response. */
  readonly failure: unknown;
  /** The answer; `undefined` if it was interrupted or failed. */
  answer(): Answer | undefined;
}

/** The request and response format of one API. */
export interface Wire {
  /** Determines the format of errors and keys. */
  readonly family: "openai" | "anthropic" | "gemini";
  /** Path after the upstream's base URL. */
  readonly path: string;
  /** Name of the format: conversations in different formats are never the same. */
  readonly form: string;
  /** @throws InvalidMessageError if the conversation is invalid */
  read(body: JsonRecord): RequestedTurn;
  /** The changed fields of the body; `undefined` removes a field. */
  write(body: JsonRecord, rewrite: Rewrite): JsonRecord;
  reader(): AnswerReader;
  readonly openings: Openings;
}

/** The values of those fields, if present. */
export function definitionsIn(body: JsonRecord, names: readonly string[]): readonly unknown[] {
  return names.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [body[name]]));
}

export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** True for system messages, at any position: no provider accepts them in the middle. */
export function isSystem({ role }: JsonRecord): boolean {
  return role === "system" || role === "developer";
}

/** The text of a content, which is a string or a list of parts. */
export function wordsOf({ content }: JsonRecord): string {
  if (typeof content === "string") return content;
  const pieces = Array.isArray(content) ? content.filter(isRecord) : [];
  return pieces.map((piece) => stringField(piece, "text") ?? "").join("\n");
}

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
