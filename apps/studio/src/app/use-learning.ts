import { useMemo } from "react";
import { useMemoryExtraction } from "throughline/react";
import type { Chat, ShownMessage } from "../chat/chat.ts";
import { saidMessages } from "../chat/shown-messages.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import type { Studio } from "./studio.ts";

const NOTHING: readonly ShownMessage[] = [];

/** Extracts facts from the open conversation: every five messages and at its end. With memory off, nothing is read. */
export function useLearning(studio: Studio, chat: Chat): void {
  const { conversationId, isMemoryOn, messages } = useSnapshot(chat);
  const said = useMemo(() => (isMemoryOn ? saidMessages(messages) : NOTHING), [isMemoryOn, messages]);
  useMemoryExtraction(conversationId, said, {
    extract: ({ conversationId: id, fresh }) => studio.learn(id, fresh),
  });
}
