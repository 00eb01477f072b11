import type { ContextUsage, MemoryFact } from "throughline/chat";

/** A message as it is shown. */
export interface ShownMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `stopped`: the person stopped it; `failed`: it broke off, `problem` says why. */
  readonly state: "done" | "streaming" | "stopped" | "failed";
  readonly problem?: string;
  /** The memories that were in the window when it was answered, each with its reason. */
  readonly used?: readonly UsedMemory[];
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

export interface ChatRoomState {
  /** `empty`: nothing said yet; `loading`: being read; `failed`: `problem` says why. */
  readonly status: "loading" | "ready" | "failed";
  readonly problem?: string;
  readonly conversationId: string;
  readonly title: string;
  readonly isTemporary: boolean;
  readonly messages: readonly ShownMessage[];
  readonly notes: readonly CondensedNote[];
  /** Which of its versions is shown, from 1, and how many there are: an edit or a retry begins a new one. */
  readonly version: { readonly shown: number; readonly of: number };
  readonly isAnswering: boolean;
  readonly isCondensing: boolean;
  readonly use: WindowUse;
}

/** One open conversation: what is shown of it, and what can be done in it. */
export interface ChatRoom {
  subscribe(listener: () => void): () => void;
  getSnapshot(): ChatRoomState;
  /**
   * Says something and streams the answer. Without a model the words are kept, and a note says why nobody answers. `onKept`
   * is called when a reload finds them.
   */
  send(text: string, onKept?: () => void): Promise<void>;
  stop(): void;
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
  close(): void;
}
