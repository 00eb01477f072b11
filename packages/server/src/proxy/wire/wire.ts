import type { Message, ReportedUsage } from "throughline";
import type { JsonRecord } from "throughline/internal/util";
import type { Openings } from "../upstream/sniff-stream.ts";

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
