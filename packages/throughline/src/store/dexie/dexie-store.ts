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
  /** True if memories are neither used nor learned in it. Default: `false`. */
  readonly isMemoryOff?: boolean;
}

/** Conversations of one owner. */
export interface ConversationList {
  /**
   * Lists conversations, latest first.
   *
   * @param owner Owner of the conversations.
   *
   * @example
   * const [latest] = await dexieStore().conversations.list("ada");
   */
  list(owner: string): Promise<readonly Conversation[]>;
  /**
   * Returns a conversation; `undefined` if there is none with this id.
   *
   * @param owner Owner of the conversation.
   * @param id Id of the conversation.
   *
   * @example
   * const conversation = await dexieStore().conversations.get("ada", id);
   */
  get(owner: string, id: string): Promise<Conversation | undefined>;
  /**
   * Inserts or replaces a conversation.
   *
   * @param owner Owner of the conversation.
   * @param conversation The conversation.
   *
   * @example
   * const { conversations } = dexieStore();
   * for (const one of await conversations.list("ada")) await conversations.put("ada", { ...one, title: "Trip" });
   */
  put(owner: string, conversation: Conversation): Promise<void>;
  /**
   * Removes a conversation from the list. Its sessions must be purged separately.
   *
   * @param owner Owner of the conversation.
   * @param id Id of the conversation.
   *
   * @example
   * await dexieStore().conversations.remove("ada", id);
   */
  remove(owner: string, id: string): Promise<void>;
}

/** A store in a browser, with features beyond the Store interface. */
export interface DexieStore extends Store {
  readonly conversations: ConversationList;
  /**
   * Calls a listener when another tab wrote something.
   *
   * @param listener Called without arguments.
   * @returns a function that removes the listener.
   *
   * @example
   * const stop = dexieStore().onOtherTab(() => location.reload());
   */
  onOtherTab(listener: () => void): () => void;
}
