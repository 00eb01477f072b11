import { type Clock, createThroughline, type MemoryService } from "throughline";
import { createFactBook, type FactBook } from "throughline/chat";
import { conversationOf } from "../chat/branches.ts";
import type { PartialAnswers } from "../chat/partial-answers.ts";
import type { ModelManager } from "../models/chat-model.ts";
import { classifyWith } from "./classify-with.ts";
import { type ConversationManager, openConversations } from "./conversation-manager.ts";
import type { Persistence } from "./open-persistence.ts";
import { tabMark } from "./tab-mark.ts";

/** Whose conversations and memories they are: the person's own, or those of the demo, which never mix. */
export type Owner = "local" | "demo";

/** The one conversation of the demo. */
export const DEMO_ID = "demo";

export function ownerOf(sessionId: string): Owner {
  return conversationOf(sessionId) === DEMO_ID ? "demo" : "local";
}

/** The conversations and memories of one owner. */
export interface Space {
  readonly owner: Owner;
  readonly chats: ConversationManager;
  /** Reads by rules: what is done by hand asks no model, and the panel answers at once. */
  readonly memory: MemoryService;
  readonly book: FactBook;
}

export interface SpaceParts {
  readonly keep: Persistence;
  readonly clock: Clock;
  readonly models: ModelManager;
  readonly partials: PartialAnswers | undefined;
  readonly isMemoryOn: () => boolean;
}

export async function openSpace(owner: Owner, parts: SpaceParts): Promise<Space> {
  const { keep, clock, models } = parts;
  const { memory } = await createThroughline({ store: keep.store, clock, userId: owner });
  const mark = (name: "clearing" | "unfinished") => tabMark(owner === "demo" ? `${name}.demo` : name, keep.keeping);
  const book = createFactBook({
    memory,
    clock,
    tombstone: mark("clearing"),
    unfinished: mark("unfinished"),
    classify: classifyWith(() => models.getSnapshot().current),
  });
  const isMemoryOn = () => owner === "demo" || parts.isMemoryOn();
  const chats = await openConversations(keep, { ...parts, owner, isDemo: owner === "demo", book, memory, isMemoryOn });
  await book.refresh();
  return { owner, chats, memory, book };
}
