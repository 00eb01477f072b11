import type {
  FilePart,
  Foreign,
  ForeignFormat,
  OpaquePart,
  Part,
  PartDraft,
  ProviderOptions,
  TextPart,
  ToolApprovalResponsePart,
  ToolResultPart,
} from "./part.ts";

export type Role = "system" | "user" | "assistant" | "tool";

/** Token usage that a provider reported for one call. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cache: { readonly read: number; readonly write: number };
}

/** Error of a failed or incomplete message. `aborted` is true if the user stopped it. */
export interface MessageError {
  readonly name: string;
  readonly message: string;
  readonly aborted?: boolean;
}

/** Source that a message was read from. */
export interface Provenance {
  readonly format: ForeignFormat;
  /** Id of the message in its source, if it has one. */
  readonly id?: string;
  /** Line number in the file, from 1. */
  readonly line?: number;
}

/** One message of a session, independent of the format it was read from. */
export interface Message {
  readonly id: string;
  readonly sessionId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  /** Milliseconds since 1970; 0 if unknown. */
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

/** Fields that every message has. */
export type MessageBase = Pick<Message, "id" | "sessionId" | "createdAt" | "tokens">;

/** A message of the user. */
export interface UserMessage extends Message {
  readonly role: "user";
  readonly parts: readonly (TextPart | FilePart | OpaquePart)[];
}

/** A reply of the model, or the summary of a compaction. */
export interface AssistantMessage extends Message {
  readonly role: "assistant";
}

/** Results of tools. */
export interface ToolMessage extends Message {
  readonly role: "tool";
  readonly parts: readonly (ToolResultPart | ToolApprovalResponsePart | OpaquePart)[];
}

/** A message without ids. */
export interface MessageDraft extends Omit<Message, "id" | "sessionId" | "parts" | "createdAt"> {
  readonly id?: string;
  readonly createdAt?: number;
  readonly parts: readonly PartDraft[];
}

/** Values for messages that lack them. */
export interface DraftDefaults {
  /** Session id. Default: empty. */
  readonly sessionId?: string;
  /** Milliseconds since 1970. Default: 0. */
  readonly createdAt?: number;
  /** Makes the id of the message at an index. Default: `m0`, `m1`, … */
  readonly messageId?: (index: number) => string;
}

/** Completes a draft with ids. Fields of the draft take precedence. */
export function completeMessage(draft: MessageDraft, index: number, defaults: DraftDefaults = {}): Message {
  const id = draft.id ?? defaults.messageId?.(index) ?? `m${index}`;
  return {
    ...draft,
    id,
    sessionId: defaults.sessionId ?? "",
    createdAt: draft.createdAt ?? defaults.createdAt ?? 0,
    parts: draft.parts.map((part, i) => ({
      ...part,
      id: part.id ?? `${id}.${i}`,
    })),
  };
}

/**
 * Returns a function that makes unique ids: the wanted id if it is free, otherwise the wanted id with a number. The
 * next number per id is cached, so n requests for one id take linear time.
 */
export function freeIds(taken: Iterable<string>): (wanted: string) => string {
  const used = new Set(taken);
  const next = new Map<string, number>();
  return (wanted) => {
    let id = wanted;
    let n = next.get(wanted) ?? 2;
    for (; used.has(id); n += 1) id = `${wanted}-${n}`;
    next.set(wanted, n);
    used.add(id);
    return id;
  };
}
