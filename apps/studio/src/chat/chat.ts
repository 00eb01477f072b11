import type { ContextUsage, MemoryFact } from "throughline/chat";
import type { Attachment } from "./attachments.ts";
import type { Unsent } from "./unsent.ts";

/** A message as it is shown. */
export interface ShownMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `stopped`: the person stopped it; `interrupted`: its tab was closed; `failed`: it broke off, `problem` says why. */
  readonly state: "done" | "streaming" | "stopped" | "interrupted" | "failed";
  readonly problem?: string;
  /** Reasoning of the model. */
  readonly reasoning?: string;
  readonly attachments?: readonly ShownAttachment[];
  /** Part of it that was not sent. */
  readonly unsent?: Unsent;
  /** Earlier messages that the request of this answer did not have. */
  readonly leftOut?: number;
  /** Memories that were deleted because this message asked for it. */
  readonly forgot?: readonly MemoryFact[];
  /** The memories that were in the window when it was answered, each with its reason. */
  readonly used?: readonly UsedMemory[];
}

/** A file that was sent with a message. */
export interface ShownAttachment {
  readonly name: string;
  /** Address of the picture, if it is one. */
  readonly image?: string;
}

export interface UsedMemory {
  readonly id: string;
  readonly reason: string;
  /** As it was then; it may have been changed or deleted since. */
  readonly fact?: MemoryFact;
}

/** Something that happened between two messages: earlier ones were condensed. */
export interface CondensedNote {
  readonly eventId: string;
  readonly round: number;
  /** Stands behind this message. */
  readonly afterMessageId: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly condensedMessages: number;
  readonly summary: string;
  readonly isUndone: boolean;
}

/** How full the window is, by what is in it, in tokens. */
export type WindowUse = Omit<ContextUsage, "percentUsed">;

export interface ChatState {
  /** `empty`: nothing said yet; `loading`: being read; `failed`: `problem` says why. */
  readonly status: "loading" | "ready" | "failed";
  readonly problem?: string;
  readonly conversationId: string;
  readonly title: string;
  readonly isTemporary: boolean;
  /** Part of the demo, whose memories are its own. */
  readonly isDemo: boolean;
  /** The memory switch of this conversation. */
  readonly isMemoryOn: boolean;
  /** Said while an answer was written; sent one after another. */
  readonly queued: readonly QueuedMessage[];
  readonly messages: readonly ShownMessage[];
  readonly notes: readonly CondensedNote[];
  /** Which of its versions is shown, from 1, and how many there are: an edit or a retry begins a new one. */
  readonly version: { readonly shown: number; readonly of: number };
  readonly isAnswering: boolean;
  readonly isCondensing: boolean;
  readonly use: WindowUse;
}

export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

export interface SendOptions {
  /** Called when a reload finds the words: in the conversation, or in the queue. */
  readonly onKept?: (() => void) | undefined;
  readonly attachments?: readonly Attachment[];
}

/** One open conversation: what is shown of it, and what can be done in it. */
export interface Chat {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ChatState;
  /**
   * Says something and streams the answer. While another answer is written, it waits in the queue. Without a model the
   * message is saved, and a note gives the reason.
   */
  send(text: string, options?: SendOptions): Promise<void>;
  /** Takes a message out of the queue; gives back its words, or nothing where it was sent already. */
  unqueue(id: string): string | undefined;
  stop(): void;
  /** Asks the model to go on with the last answer, which broke off. */
  continueAnswer(): Promise<void>;
  /** Asks again for the last answer, on a new branch; the old answer stays on the old one. */
  retry(): Promise<void>;
  /** Says something else in place of an earlier message, on a new branch. */
  editAndResend(messageId: string, text: string): Promise<void>;
  /** Shows another version, from 1. */
  showVersion(version: number): Promise<void>;
  rename(title: string): Promise<void>;
  /** Condenses earlier messages by hand; `false` where there is nothing to win yet. */
  condense(): Promise<boolean>;
  undoCondensing(eventId: string): Promise<void>;
  /** Turns memories on or off for this conversation. */
  switchMemory(isOn: boolean): Promise<void>;
}
