import type { Foreign, ForeignFormat, Part, PartDraft, ProviderOptions } from "./part.ts";

export type Role = "system" | "user" | "assistant" | "tool";

/** Tokens as a provider reported them for one call. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cache: { readonly read: number; readonly write: number };
}

/** Why a message is not what was asked for. `aborted` means that the user stopped it. */
export interface MessageError {
  readonly name: string;
  readonly message: string;
  readonly aborted?: boolean;
}

/** Where a message was read from. */
export interface Provenance {
  readonly format: ForeignFormat;
  /** The id that it has there, where it has one. */
  readonly id?: string;
  /** The line of the file, from 1. */
  readonly line?: number;
}

/** One message of a session, whoever's form it came in. */
export interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  /** Milliseconds since 1970; 0 where it is not known. */
  readonly createdAt: number;
  readonly tokens?: number;
  readonly isSummary?: boolean;
  readonly isCompactionTrigger?: boolean;
  readonly parentId?: string;
  readonly modelId?: string;
  readonly finishReason?: string;
  readonly error?: MessageError;
  readonly usage?: TokenUsage;
  readonly provenance?: Provenance;
  readonly providerOptions?: ProviderOptions;
  readonly foreign?: Foreign;
}

/** A message before it has its ids. */
export interface MessageDraft extends Omit<Message, "id" | "sessionId" | "parts" | "createdAt"> {
  readonly id?: string;
  readonly createdAt?: number;
  readonly parts: readonly PartDraft[];
}

export interface DraftContext {
  readonly sessionId?: string;
  readonly createdAt?: number;
  /** Gives the id of the message at that index; by default `m0`, `m1`, … */
  readonly messageId?: (index: number) => string;
}

/** Gives a draft its ids; what the draft says itself wins. */
export function completeMessage(draft: MessageDraft, index: number, context: DraftContext = {}): Message {
  const id = draft.id ?? context.messageId?.(index) ?? `m${index}`;
  return {
    ...draft,
    id,
    sessionId: context.sessionId ?? "",
    createdAt: draft.createdAt ?? context.createdAt ?? 0,
    parts: draft.parts.map((part, i) => ({
      ...part,
      id: part.id ?? `${id}.${i}`,
    })),
  };
}
