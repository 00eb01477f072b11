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
  /** Deletes the memories that a message asks to forget; `undefined` if memories are off. */
  readonly forget: (about: string, said: readonly ShownMessage[]) => Promise<ShownMessage["forgot"]>;
  /** The global memory switch. */
  readonly isMemoryOn: () => boolean;
  readonly isDemo: boolean;
  /** Saves a changed conversation to the list; `undefined` for a temporary chat. */
  readonly save: ((conversation: Conversation, change: Partial<Conversation>) => Promise<Conversation>) | undefined;
  /** Stores partial answers; `undefined` for a temporary chat. */
  readonly partials: PartialAnswers | undefined;
  /** The device is full: from now on `throughline` stores in the tab. */
  readonly spill: () => void;
  /** Called before a model gets messages. */
  readonly asked: (model: ChatModel) => void;
  readonly now: () => number;
}
