import { type Clock, inProcessStore, type Store, StoreError, type StoreProblem } from "throughline";
import { type Conversation, type ConversationList, type DexieStore, dexieStore } from "throughline/dexie";
import { messageOf } from "throughline/internal/util";
import { frameCopy } from "../copy/frame.ts";
import type { StudioState } from "./studio.ts";

const { storage: copy } = frameCopy;

/** Storage of the Studio: on the device, or in the tab if the device does not allow it. */
export interface Persistence {
  readonly store: Store;
  readonly conversations: ConversationList;
  readonly onOtherTab: DexieStore["onOtherTab"];
  readonly storage: StudioState["storage"];
}

/** Opens the store of the device. If it is unavailable, e.g. in a private window, the chat works without it. */
export async function openPersistence(userId: string, clock: Clock): Promise<Persistence> {
  const store = dexieStore({ clock });
  try {
    const { conversations } = store;
    await conversations.list(userId);
    return { store, conversations, onOtherTab: (listener) => store.onOtherTab(listener), storage: { where: "device" } };
  } catch (error) {
    if (!hasProblem(error, "busy", "full", "newer-version", "unavailable")) throw error;
    return tabPersistence(clock, whyNot(error));
  }
}

/** Stores everything until the tab is closed. */
export function tabPersistence(clock: Clock, why: string): Persistence {
  return {
    store: inProcessStore(clock),
    conversations: conversationsInTab(),
    onOtherTab: () => () => undefined,
    storage: { where: "tab", why },
  };
}

function whyNot(error: unknown): string {
  if (hasProblem(error, "full")) return copy.full;
  if (hasProblem(error, "busy")) return copy.olderTab;
  if (hasProblem(error, "newer-version")) return copy.newerUsed;
  return copy.forbidden(messageOf(error));
}

function conversationsInTab(): ConversationList {
  const users = new Map<string, Map<string, Conversation>>();
  const keptOf = (userId: string) => {
    const kept = users.get(userId) ?? new Map<string, Conversation>();
    users.set(userId, kept);
    return kept;
  };
  return {
    list: async (userId) => [...keptOf(userId).values()].sort((a, b) => b.updatedAt - a.updatedAt),
    get: async (userId, id) => keptOf(userId).get(id),
    put: async (userId, conversation) => void keptOf(userId).set(conversation.id, conversation),
    remove: async (userId, id) => void keptOf(userId).delete(id),
  };
}

export function hasProblem(error: unknown, ...problems: readonly StoreProblem[]): boolean {
  return error instanceof StoreError && problems.includes(error.problem);
}
