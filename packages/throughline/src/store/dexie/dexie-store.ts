import type { Store } from "../../ports/store.ts";

/** A conversation in the list of a chat. Its branches are sessions: an edit or a retry starts a new one. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Session id of the visible branch. */
  readonly sessionId: string;
  /** All branches in order, including the visible one. */
  readonly branches: readonly string[];
  /** Whether memories are neither used nor learned in it. Default: `false`. */
  readonly isMemoryOff?: boolean;
}

/** Conversations of one owner. */
export interface ConversationList {
  /** Lists conversations, latest first. */
  list(owner: string): Promise<readonly Conversation[]>;
  get(owner: string, id: string): Promise<Conversation | undefined>;
  /** Inserts or replaces a conversation. */
  put(owner: string, conversation: Conversation): Promise<void>;
  /** Removes a conversation from the list. Its sessions must be purged separately. */
  remove(owner: string, id: string): Promise<void>;
}

/** A store in a browser, with features beyond the Store interface. */
export interface DexieStore extends Store {
  readonly conversations: ConversationList;
  /** Calls the listener when another tab wrote something. Call the result to stop. */
  onOtherTab(listener: () => void): () => void;
}
