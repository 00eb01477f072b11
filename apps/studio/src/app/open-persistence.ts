import { type Clock, inProcessStore, type Store } from "throughline";
import { type Conversation, type ConversationList, type DexieStore, dexieStore } from "throughline/dexie";
import { hasProblem, wordsOf } from "./store-problems.ts";
import type { StudioState } from "./studio.ts";

/** Where the Studio keeps things: on the device, or in the tab where the device does not let it. */
export interface Persistence {
  readonly store: Store;
  readonly conversations: ConversationList;
  readonly onOtherTab: DexieStore["onOtherTab"];
  readonly storage: StudioState["storage"];
}

/** Opens the device's store. Where it cannot be had (a private window, say), the chat works all the same. */
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

/** Keeps everything until the tab is closed. */
export function tabPersistence(clock: Clock, why: string): Persistence {
  return {
    store: inProcessStore(clock),
    conversations: conversationsInTab(),
    onOtherTab: () => () => undefined,
    storage: { where: "tab", why },
  };
}

export const FULL =
  "This device's storage is full. Everything saved before is safe, but new messages are lost when you close this tab. Free some space and reload.";

function whyNot(error: unknown): string {
  if (hasProblem(error, "full")) return FULL;
  if (hasProblem(error, "busy")) {
    return "Another tab has an older Throughline open. Close it and reload. Until then, nothing is saved after you close this tab.";
  }
  if (hasProblem(error, "newer-version")) {
    return "A newer Throughline was used here. Reload to update. Until then, nothing is saved after you close this tab.";
  }
  return `This browser doesn't let Throughline save anything (${wordsOf(error)}). You can chat, but everything is lost when you close this tab.`;
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
