import { type Clock, createThroughline, type MemoryService } from "throughline";
import { createFactBook, type FactBook } from "throughline/chat";
import { conversationOf } from "../../chat/branches.ts";
import type { PartialAnswers } from "../../chat/partial-answers.ts";
import type { ModelManager } from "../../models/chat-model.ts";
import { classifyWith } from "../classify-with.ts";
import { type ConversationManager, openConversations } from "../conversation-manager.ts";
import { tabMark } from "../shell/tab-mark.ts";
import type { Persistence } from "./open-persistence.ts";

/** User of conversations and memories: the person, or the demo. Their data never mixes. */
export type UserId = "local" | "demo";

/** The one conversation of the demo. */
export const DEMO_ID = "demo";

export function userIdOf(sessionId: string): UserId {
  return conversationOf(sessionId) === DEMO_ID ? "demo" : "local";
}

/** The conversations and memories of one user. */
export interface Space {
  readonly userId: UserId;
  readonly chats: ConversationManager;
  /** Works by rules, without a model: changes by hand take effect at once. */
  readonly memory: MemoryService;
  readonly book: FactBook;
}

export interface SpaceParts {
  readonly persistence: Persistence;
  readonly clock: Clock;
  readonly models: ModelManager;
  readonly partials: PartialAnswers | undefined;
  readonly isMemoryOn: () => boolean;
}

export async function openSpace(userId: UserId, parts: SpaceParts): Promise<Space> {
  const { persistence, clock, models } = parts;
  const { memory } = await createThroughline({ store: persistence.store, clock, userId });
  const isDemo = userId === "demo";
  const mark = (name: "clearing" | "unfinished") => tabMark(isDemo ? `${name}.demo` : name, persistence.storage);
  const book = createFactBook({
    memory,
    clock,
    tombstone: mark("clearing"),
    unfinished: mark("unfinished"),
    classify: classifyWith(() => models.getSnapshot().current),
  });
  const isMemoryOn = () => isDemo || parts.isMemoryOn();
  const chats = await openConversations({ ...parts, userId, isDemo, book, memory, isMemoryOn });
  await book.refresh();
  return { userId, chats, memory, book };
}
