import { createHmac } from "node:crypto";
import { countTokens } from "../../../throughline/src/tokens/count-tokens.ts";

export type Json = Readonly<Record<string, unknown>>;

interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** Responses only: the namespace in which the tool was offered. */
  readonly namespace?: string;
  readonly input: object;
}

/** One turn of the scripted model. */
export interface Reply {
  /** Sent as signed thinking if the request asks for thinking. */
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
}

export type Wire = "messages" | "chat" | "responses" | "gemini";

/** Settings of the provider; tests change them between requests. */
export interface Provider {
  /** Context window in tokens. */
  limit: number;
  /** Ratio of the provider's token count to ours. */
  bias: number;
  /** True if the reserved reply counts for the window. Default: true. */
  countsReply?: boolean;
  /** True if consecutive messages of one role are refused (Bedrock) instead of combined (Anthropic). Default: true. */
  rolesMustAlternate?: boolean;
  answer: (body: string, wire: Wire) => Reply;
}

/** The provider's own error response. */
export interface Refusal {
  readonly status: number;
  readonly body: Json;
  readonly message: string;
  readonly isOverflow: boolean;
}

/** One server-sent event; Anthropic and Responses name theirs. */
export interface WireEvent {
  readonly name?: string;
  readonly data: string;
}

/** A response: JSON or a stream of events, and the refusal if it is one. */
export interface WireAnswer {
  readonly status?: number;
  readonly body?: unknown;
  readonly events?: readonly WireEvent[];
  readonly refusal?: string;
  readonly isOverflow?: boolean;
}

export function countAll(value: unknown, { bias }: Pick<Provider, "bias">): number {
  return Math.ceil(countTokens(JSON.stringify(value) ?? "") * bias);
}

export function refused({ status, body, message, isOverflow }: Refusal): WireAnswer {
  return { status, body, refusal: message, isOverflow };
}

/** Signs a text with a secret key, so that only signatures of this provider verify. */
export function sign(text: string): string {
  return createHmac("sha256", "scripted provider").update(text).digest("base64");
}

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects of a list; anything else counts as an empty list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

export function firstDuplicate(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}
