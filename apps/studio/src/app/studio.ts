import type { Receipt } from "throughline";
import type { FactBook } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ImportOptions } from "throughline/memory";
import type { Chat, ShownMessage } from "../chat/chat-state.ts";
import type { ModelManager } from "../models/chat-model.ts";
import type { PendingRemoval } from "./pending-removals.ts";
import type { SearchHit } from "./search-conversations.ts";

export interface StudioState {
  /** Storage location of the data: the device, or the tab until it is closed, with the reason. */
  readonly storage: { readonly where: "device" } | { readonly where: "tab"; readonly why: string };
  readonly conversations: readonly Conversation[];
  readonly chat: Chat;
  /** The global memory switch. */
  readonly isMemoryOn: boolean;
  /** Question before a temporary chat with messages is left: call it with the decision. */
  readonly leaving?: ((isLeaving: boolean) => void) | undefined;
  /** Conversations that were just deleted and can be restored. */
  readonly removed: readonly PendingRemoval[];
  /** Message to scroll to, after a source or a search result was opened. */
  readonly jump?: { readonly messageId: string; readonly at: number };
}

/** The root of the app: store, memory, models and conversations. */
export interface Studio {
  subscribe(listener: () => void): () => void;
  getSnapshot(): StudioState;
  /** Memories for the open conversation: the person's own, or those of the demo. */
  readonly book: FactBook;
  readonly models: ModelManager;
  open(conversationId: string): Promise<void>;
  newChat(options?: { readonly isTemporary?: boolean }): Promise<void>;
  /** Plays the demo: one scripted conversation with its own memories, without a model. */
  startDemo(): Promise<void>;
  /** Erases the demo and its memories. */
  removeDemo(): Promise<void>;
  /** Turns memories on or off everywhere. */
  switchMemory(isOn: boolean): Promise<void>;
  /** Searches titles and messages. */
  search(query: string): Promise<readonly SearchHit[]>;
  /** Writes a conversation as a file. */
  exportConversation(conversationId: string, format: "json" | "markdown"): Promise<string>;
  rename(conversationId: string, title: string): Promise<void>;
  /**
   * Deletes a conversation; it can be undone for eight seconds. Its memories stay, unless `alsoMemories` is set.
   */
  remove(conversationId: string, options?: { readonly alsoMemories?: boolean }): Promise<void>;
  undoRemove(conversationId: string): Promise<void>;
  /** Extracts facts from messages of a conversation. Messages that were read before are skipped. */
  learn(conversationId: string, messages: readonly ShownMessage[]): Promise<void>;
  /** Reloads everything that another tab may have changed. */
  refresh(): Promise<void>;
  /** Opens the source of a memory. Returns `false` if it no longer exists. */
  jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean>;
  /** The receipts of the open conversation, the newest last. */
  receipts(limit?: number): Promise<readonly Receipt[]>;
  exportMemories(format: "json" | "markdown"): Promise<string>;
  /** Imports an export or pasted text, as a whole or not at all. A dry run only counts. */
  importMemories(text: string, options?: ImportOptions): Promise<ImportOutcome>;
}

export interface ImportOutcome {
  /** Number of new memories. */
  readonly added: number;
  readonly known: number;
  readonly skipped: readonly string[];
  /** Memories beyond the limit: the least certain and the oldest, new ones included. */
  readonly overLimit: number;
}
