import type { Throughline } from "throughline";
import type { MemoryFact } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ChatModel } from "../models/chat-model.ts";
import type { ShownMessage } from "./chat.ts";
import type { PartialAnswers } from "./partial-answers.ts";

/** Dependencies of a chat. */
export interface ChatDeps {
  readonly throughline: () => Throughline;
  readonly model: () => ChatModel | undefined;
  /** Facts that this chat uses. */
  readonly facts: () => readonly MemoryFact[];
  /** Deletes the memories that a message asks to forget; nothing where memories are not used. */
  readonly forget: (about: string, said: readonly ShownMessage[]) => Promise<ShownMessage["forgot"]>;
  /** The global memory switch. */
  readonly isMemoryOn: () => boolean;
  readonly isDemo: boolean;
  /** Saves a changed conversation to the list; `undefined` for a temporary chat. */
  readonly save: ((conversation: Conversation, change: Partial<Conversation>) => Promise<Conversation>) | undefined;
  /** Keeps what there is of an answer while it is written; a temporary chat does not. */
  readonly partials: PartialAnswers | undefined;
  /** The device takes no more: from now on `throughline` gives one that keeps things in the tab. */
  readonly spill: () => void;
  /** Told when a model is about to hear what was said. */
  readonly asked: (model: ChatModel) => void;
  readonly now: () => number;
}
