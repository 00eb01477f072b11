import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ImportOptions } from "throughline/memory";
import type { Chat, ShownMessage } from "../chat/chat.ts";
import type { ModelManager } from "../models/chat-model.ts";
import type { PendingRemoval } from "./pending-removals.ts";
import type { SearchHit } from "./search-conversations.ts";

export interface StudioState {
  /** Where data is stored: on the device, or in the tab until it is closed, with the reason. */
  readonly storage: { readonly where: "device" } | { readonly where: "tab"; readonly why: string };
  readonly conversations: readonly Conversation[];
  readonly chat: Chat;
  /** The global memory switch. */
  readonly isMemoryOn: boolean;
  /** Question before a temporary chat with messages is left: call it with the decision. */
  readonly leaving?: ((isLeaving: boolean) => void) | undefined;
  /** Conversations that were just deleted, and can still be brought back. */
  readonly removed: readonly PendingRemoval[];
  /** Told once after a conversation or a memory was opened from elsewhere: scroll to it. */
  readonly jump?: { readonly messageId: string; readonly at: number };
}

/** The one root of the app, where store, memory, models and conversations meet. */
export interface Studio {
  subscribe(listener: () => void): () => void;
  getSnapshot(): StudioState;
  /** The memories of the open conversation: the person's own, or those of the demo. */
  readonly book: FactBook;
  readonly models: ModelManager;
  open(conversationId: string): Promise<void>;
  newChat(options?: { readonly isTemporary?: boolean }): Promise<void>;
  /** A scripted conversation to try memory and condensing on, without a model. There is one, with memories of its own. */
  startDemo(): Promise<void>;
  /** Erases the demo and its memories. */
  removeDemo(): Promise<void>;
  /** Turns memories on or off everywhere. */
  switchMemory(isOn: boolean): Promise<void>;
  /** Finds conversations by words of their titles and messages. */
  search(query: string): Promise<readonly SearchHit[]>;
  /** Writes a conversation as a file. */
  exportConversation(conversationId: string, format: "json" | "markdown"): Promise<string>;
  rename(conversationId: string, title: string): Promise<void>;
  /**
   * Deletes a conversation; it can be brought back for eight seconds. What was learned in it stays in memory, unless that
   * is to go too.
   */
  remove(conversationId: string, options?: { readonly alsoMemories?: boolean }): Promise<void>;
  undoRemove(conversationId: string): Promise<void>;
  /** Reads what was said in a conversation and remembers the facts in it. What was read before is not read again. */
  learn(conversationId: string, messages: readonly ShownMessage[]): Promise<void>;
  /** Reads everything anew that another tab may have changed. */
  refresh(): Promise<void>;
  /** Opens the conversation in which something was said, and goes there. `false` where it is gone. */
  jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean>;
  /** The receipts of the open conversation, the newest last. */
  receipts(limit?: number): Promise<readonly Receipt[]>;
  exportMemories(format: "json" | "markdown"): Promise<string>;
  /** Imports an export or pasted text, as a whole or not at all. A dry run only counts. */
  importMemories(text: string, options?: ImportOptions): Promise<ImportOutcome>;
}

export interface ImportOutcome {
  /** New memories that are there. */
  readonly added: number;
  readonly known: number;
  readonly skipped: readonly string[];
  /** Memories, new or old, for which there is no room; the least certain and the oldest. */
  readonly overLimit: number;
}
