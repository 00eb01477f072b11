import { useCallback, useEffect, useMemo, useState } from "react";
import type { FactBook } from "throughline/chat";
import { messageOf } from "throughline/internal/util";
import { chatCopy } from "../../copy/chat.ts";
import { announce } from "../../ui/announce.tsx";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import type { Chat, QueuedMessage, SendOptions } from "../chat-state.ts";
import type { Notice } from "./chat-notice.tsx";
import type { MemorySources } from "./messages/memory-notes.tsx";
import type { ListVerbs } from "./messages/message-list.tsx";

const NOTHING_TO_CONDENSE: Notice = { kind: "word", text: chatCopy.summary.nothing };

interface ChatActionsOptions {
  readonly chat: Chat;
  readonly book: FactBook;
  readonly sources: MemorySources;
  readonly onRemember: ((text: string, messageId: string) => void) | undefined;
}

export interface ChatActions extends ListVerbs {
  /** Returns `false` if the message was not saved; `onKept` is called as soon as it is. */
  send(text: string, options?: SendOptions): Promise<boolean>;
  unqueue(id: string): QueuedMessage | undefined;
  switchMemory(isOn: boolean): void;
  stop(): void;
  rename(title: string): void;
  condense(): Promise<void>;
  showVersion(version: number): void;
}

/** Actions of a chat, the last problem for display, and the number of requested summaries. */
export function useChatActions({ chat, book, sources, onRemember }: ChatActionsOptions) {
  const [notice, setNotice] = useState<Notice>();
  const { isMemoryOn } = useSnapshot(chat);
  const [summaries, setSummaries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: both belong to one chat
  useEffect(() => {
    setNotice(undefined);
    setSummaries(0);
  }, [chat]);
  const attempt = useCallback(async (doing: Promise<unknown>): Promise<boolean> => {
    setNotice(undefined);
    try {
      await doing;
      return true;
    } catch (error) {
      setNotice({ kind: "problem", text: messageOf(error) });
      return false;
    }
  }, []);
  const verbs = useMemo<ChatActions>(
    () => ({
      book,
      sources,
      remember: isMemoryOn ? onRemember : undefined,
      async send(text, options) {
        const isDone = await attempt(chat.send(text, options));
        return isDone || chat.getSnapshot().messages.findLast((one) => one.role === "user")?.text === text;
      },
      unqueue: (id) => chat.unqueue(id),
      switchMemory: (isOn) => void attempt(chat.switchMemory(isOn)),
      continueAnswer: () => void attempt(chat.continueAnswer()),
      stop: () => chat.stop(),
      retry: () => void attempt(chat.retry()),
      editAndResend: (messageId, text) => void attempt(chat.editAndResend(messageId, text)),
      rename: (title) => void attempt(chat.rename(title)),
      async condense() {
        const condense = async () => {
          if (!(await chat.condense())) return setNotice(NOTHING_TO_CONDENSE);
          announce(describeSummary(chat));
          setSummaries((count) => count + 1);
        };
        await attempt(condense());
      },
      showVersion: (version) => void attempt(chat.showVersion(version)),
      undoCondensing: (eventId) => void attempt(chat.undoCondensing(eventId)),
    }),
    [chat, book, sources, onRemember, isMemoryOn, attempt],
  );
  return { verbs, notice, setNotice, summaries };
}

function describeSummary(chat: Chat): string {
  const note = chat.getSnapshot().notes.findLast(({ isUndone }) => !isUndone);
  const { condensedMessages = 0, tokensBefore = 0, tokensAfter = 0 } = note ?? {};
  return chatCopy.summary.done(condensedMessages, tokensBefore, tokensAfter);
}
