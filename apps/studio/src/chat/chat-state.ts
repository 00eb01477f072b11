import type { Throughline } from "throughline";
import type { ContextUsage, MemoryFact } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ChatModel } from "../models/chat-model.ts";
import type { Attachment } from "./attachments.ts";
import type { PartialAnswers } from "./partial-answers.ts";

/** A message for display. */
export interface ShownMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `stopped` by the person; `interrupted`: its tab was closed; `cut` at the length limit of the model; `filtered`:
   * ended by its content filter; `failed`: `problem` gives the reason.
   */
  readonly state: "done" | "streaming" | "stopped" | "interrupted" | "cut" | "filtered" | "failed";
  readonly problem?: string;
  /** Reasoning of the model. */
  readonly reasoning?: string;
  readonly attachments?: readonly ShownAttachment[];
  /** Parts that were not sent. */
  readonly unsent?: Unsent;
  /** Earlier messages that the request of this answer did not have. */
  readonly leftOut?: number;
  /** Number of images that were not sent, because the model takes none. */
  readonly imagesLeftOut?: number;
  /** Memories that were deleted at the request of this message. */
  readonly forgot?: readonly MemoryFact[];
  /** Memories in the window of the answer, each with its reason. */
  readonly used?: readonly UsedMemory[];
}

/** True for an answer that broke off and can be continued. */
export function isPartial(state: ShownMessage["state"]): state is "stopped" | "interrupted" | "cut" | "filtered" {
  return state === "stopped" || state === "interrupted" || state === "cut" || state === "filtered";
}

/** Part of a message that was not sent: the middle of its text, its images, or all of it. */
export type Unsent =
  | { readonly kind: "cut"; readonly percentSent: number }
  | { readonly kind: "images" }
  | { readonly kind: "left-out" };

/** A file that was sent with a message. */
export interface ShownAttachment {
  readonly name: string;
  /** Address of the picture, if it is one. */
  readonly image?: string;
}

export interface UsedMemory {
  readonly id: string;
  readonly reason: string;
  /** The fact at that time; it may have changed since. */
  readonly fact?: MemoryFact;
}

/** A summary of earlier messages, shown between two messages. */
export interface CondensedNote {
  readonly eventId: string;
  readonly round: number;
  /** The note follows this message. */
  readonly afterMessageId: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly condensedMessages: number;
  readonly summary: string;
  readonly isUndone: boolean;
}

/** Usage of the window by part, in tokens. */
export type WindowUse = Omit<ContextUsage, "percentUsed">;

export interface ChatState {
  /** `failed`: `problem` has the reason. */
  readonly status: "loading" | "ready" | "failed";
  readonly problem?: string;
  readonly conversationId: string;
  readonly title: string;
  readonly isTemporary: boolean;
  /** Part of the demo, which has its own memories. */
  readonly isDemo: boolean;
  /** The memory switch of this conversation. */
  readonly isMemoryOn: boolean;
  /** Messages sent while an answer was written; sent one after another. */
  readonly queued: readonly QueuedMessage[];
  readonly messages: readonly ShownMessage[];
  readonly notes: readonly CondensedNote[];
  /** The shown version, from 1, and their number. An edit or a retry starts a new one. */
  readonly version: { readonly shown: number; readonly of: number };
  readonly isAnswering: boolean;
  readonly isCondensing: boolean;
  readonly use: WindowUse;
}

export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface SendOptions {
  /** Called when the message is saved in the conversation or in the queue. */
  readonly onKept?: (() => void) | undefined;
  readonly attachments?: readonly Attachment[];
}

/** An open conversation: its state and actions. */
export interface Chat {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ChatState;
  /**
   * Sends a message and streams the answer. While another answer is written, the message is queued. Without a model it
   * is saved, and a note gives the reason.
   */
  send(text: string, options?: SendOptions): Promise<void>;
  /** Removes a message from the queue and returns it; `undefined` if it was sent already. */
  unqueue(id: string): QueuedMessage | undefined;
  stop(): void;
  /** Asks the model to continue the last, interrupted answer. */
  continueAnswer(): Promise<void>;
  /** Asks again for the last answer, on a new branch; the old answer stays on the old one. */
  retry(): Promise<void>;
  /** Replaces the text of an earlier message on a new branch. Its files stay. */
  editAndResend(messageId: string, text: string): Promise<void>;
  /** Shows another version, from 1. */
  showVersion(version: number): Promise<void>;
  rename(title: string): Promise<void>;
  /** Summarizes earlier messages now. Returns `false` if there is nothing to summarize. */
  condense(): Promise<boolean>;
  undoCondensing(eventId: string): Promise<void>;
  /** Turns memories on or off for this conversation. */
  switchMemory(isOn: boolean): Promise<void>;
}

/** Dependencies of a chat. */
export interface ChatDeps {
  readonly throughline: () => Throughline;
  readonly model: () => ChatModel | undefined;
  /** Facts that this chat uses. */
  readonly facts: () => readonly MemoryFact[];
  /** Deletes the memories that a message asks to forget; `undefined` if memories are off. */
  readonly forget: (about: string, said: readonly ShownMessage[]) => Promise<ShownMessage["forgot"]>;
  /** The global memory switch. */
  readonly isMemoryOn: () => boolean;
  readonly isDemo: boolean;
  /** Saves a changed conversation to the list; `undefined` for a temporary chat. */
  readonly save: ((conversation: Conversation, change: Partial<Conversation>) => Promise<Conversation>) | undefined;
  /** Stores partial answers; `undefined` for a temporary chat. */
  readonly partials: PartialAnswers | undefined;
  /** The device is full: from now on `throughline` stores in the tab. */
  readonly spill: () => void;
  /** Called before a model gets messages. */
  readonly asked: (model: ChatModel) => void;
  readonly now: () => number;
}
