import type { Message, ReportedUsage } from "throughline";
import type { JsonRecord } from "throughline/internal";
import type { Openings } from "../sniff-stream.ts";

/** What a request asks of a model, whichever form it came in. */
export interface AskedTurn {
  readonly modelId: string;
  /** All of the system prompt as one text. */
  readonly system: string;
  /** The conversation, without what belongs to the system prompt. */
  readonly messages: readonly Message[];
  /** What else is sent and takes tokens: the definitions of tools, the form of the reply. */
  readonly definitions: readonly unknown[];
  /** Tokens that it asks for the reply; 0 where a reply takes nothing away from what can be sent. */
  readonly maxTokens: number | undefined;
  /** The answer that it goes on from, where the upstream keeps the conversation. */
  readonly previous?: string | undefined;
  /** Why it cannot be known what the model will read: the upstream holds something that was never sent through here. */
  readonly unknown?: string | undefined;
}

/** What is sent in the place of what came; what is not named stays as it came. */
interface Rewrite {
  /** The whole conversation. */
  readonly messages?: readonly Message[] | undefined;
  /** Memories, to stand behind the system prompt. */
  readonly memories?: string | undefined;
}

/** What a model answered. */
export interface Answer {
  /** As they go into the session; none where there are several to choose from. */
  readonly messages: readonly Message[];
  readonly usage: ReportedUsage | undefined;
  /** Its id, where the upstream keeps it and a request can go on from it. */
  readonly id?: string | undefined;
  /** Other forms in which clients send the answer back: with references in the place of items. */
  readonly named?: readonly (readonly Message[])[] | undefined;
}

/** Reads along what a model answers. */
export interface AnswerReader {
  /** The data of one event of a stream. */
  event(data: string): void;
  /** The whole body of an answer that does not stream. */
  body(json: unknown): void;
  /** Whether everything was said. */
  readonly isFinished: boolean;
  /** Whether more may follow although it says that it is finished: the answer is complete when the stream ends. */
  readonly isOpenEnded?: boolean;
  /** What went wrong in the middle, as the upstream said it. */
  readonly failure: unknown;
  /** What was said; `undefined` where it was cut off or failed. */
  answer(): Answer | undefined;
}

/** The form that requests and answers have at one address. */
export interface Wire {
  /** Whose errors and keys it has. */
  readonly family: "openai" | "anthropic" | "gemini";
  /** Behind the upstream's base URL. */
  readonly path: string;
  /** Its name: conversations in one form are not those in another. */
  readonly form: string;
  /** @throws InvalidMessageError where the conversation cannot be read. */
  read(body: JsonRecord): AskedTurn;
  /** The fields of the body that change; `undefined` takes one out. */
  write(body: JsonRecord, rewrite: Rewrite): JsonRecord;
  reader(): AnswerReader;
  readonly openings: Openings;
}
