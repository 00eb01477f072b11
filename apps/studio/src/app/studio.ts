import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ChatRoom, ShownMessage } from "../chat/chat-room.ts";
import type { ModelShelf } from "../models/chat-model.ts";

export interface StudioState {
  /** Where things are kept: on the device, or only until the tab is closed, with the reason for a person. */
  readonly keeping: { readonly where: "device" } | { readonly where: "tab"; readonly why: string };
  readonly conversations: readonly Conversation[];
  readonly room: ChatRoom;
  /** Told once after a conversation or a memory was opened from elsewhere: scroll to it. */
  readonly jump?: { readonly messageId: string; readonly at: number };
}

/** The one root of the app, where store, memory, models and conversations meet. */
export interface Studio {
  subscribe(listener: () => void): () => void;
  getSnapshot(): StudioState;
  readonly book: FactBook;
  readonly models: ModelShelf;
  open(conversationId: string): Promise<void>;
  newChat(options?: { readonly isTemporary?: boolean }): Promise<void>;
  /** A scripted conversation to try memory and condensing on, without a model. */
  startDemo(): Promise<void>;
  rename(conversationId: string, title: string): Promise<void>;
  /** Erases a conversation for good. What was learned in it stays in memory, unless that is to go too. */
  remove(conversationId: string, options?: { readonly alsoMemories?: boolean }): Promise<void>;
  /** Reads what was said in a conversation and remembers the facts in it. What was read before is not read again. */
  learn(conversationId: string, messages: readonly ShownMessage[]): Promise<void>;
  /** Reads everything anew that another tab may have changed. */
  refresh(): Promise<void>;
  /** Opens the conversation in which something was said, and goes there. `false` where it is gone. */
  jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean>;
  /** The receipts of the open conversation, the newest last. */
  receipts(limit?: number): Promise<readonly Receipt[]>;
  exportMemories(format: "json" | "markdown"): Promise<string>;
  /** Reads an export or pasted text. With `dryRun` it only says what it would do. */
  importMemories(
    text: string,
    options?: { readonly dryRun?: boolean },
  ): Promise<{ readonly added: number; readonly known: number; readonly skipped: readonly string[] }>;
}
