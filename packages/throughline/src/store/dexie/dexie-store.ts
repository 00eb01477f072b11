import type { Store } from "../../ports/store.ts";

/** A conversation in the list of a chat. Its branches are sessions: an edit or a retry begins a new one. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The branch that is shown: a session's id. */
  readonly sessionId: string;
  /** All branches, the first first; the one that is shown is among them. */
  readonly branches: readonly string[];
}

/** The conversations of one owner. */
export interface ConversationList {
  /** The latest first. */
  list(owner: string): Promise<readonly Conversation[]>;
  get(owner: string, id: string): Promise<Conversation | undefined>;
  /** Writes it, new or changed. */
  put(owner: string, conversation: Conversation): Promise<void>;
  /** Takes it off the list; its sessions are purged by the store's own means. */
  remove(owner: string, id: string): Promise<void>;
}

/** What a store in a browser can do beside what every store does. */
export interface DexieStore extends Store {
  readonly conversations: ConversationList;
  /** Calls back when another tab wrote something, until the result is called. */
  onOtherTab(listener: () => void): () => void;
}
