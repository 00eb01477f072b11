import { useCallback, useEffect, useMemo, useState } from "react";
import type { FactBook } from "throughline/chat";
import { useSnapshot } from "../../ui/use-snapshot.ts";
import type { ChatRoom, SendOptions } from "../chat-room.ts";
import type { Notice } from "./chat-notice.tsx";
import { formatCount, formatNumber, formatTokens } from "./format.ts";
import type { MemorySources } from "./messages/memory-sources.ts";
import type { ListVerbs } from "./messages/message-list.tsx";

const NOTHING_TO_CONDENSE: Notice = { kind: "word", text: "Nothing to summarize yet." };

interface RoomVerbsOptions {
  readonly room: ChatRoom;
  readonly book: FactBook;
  readonly sources: MemorySources;
  readonly onRemember: ((text: string, messageId: string) => void) | undefined;
}

export interface RoomVerbs extends ListVerbs {
  /** Gives back `false` where the words were not kept; `onKept` is called as soon as they are. */
  send(text: string, options?: SendOptions): Promise<boolean>;
  unqueue(id: string): string | undefined;
  switchMemory(isOn: boolean): void;
  stop(): void;
  rename(title: string): void;
  condense(): Promise<void>;
  showVersion(version: number): void;
}

/** What can be done in a room, and what went wrong with it, for a person. */
export function useRoomVerbs({ room, book, sources, onRemember }: RoomVerbsOptions) {
  const [notice, setNotice] = useState<Notice>();
  const { isMemoryOn } = useSnapshot(room);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what went wrong in one room is not told in another
  useEffect(() => setNotice(undefined), [room]);
  const attempt = useCallback(async (doing: Promise<unknown>): Promise<boolean> => {
    setNotice(undefined);
    try {
      await doing;
      return true;
    } catch (error) {
      setNotice({ kind: "problem", text: error instanceof Error ? error.message : String(error) });
      return false;
    }
  }, []);
  const verbs = useMemo<RoomVerbs>(
    () => ({
      book,
      sources,
      remember: isMemoryOn ? onRemember : undefined,
      async send(text, options) {
        const isDone = await attempt(room.send(text, options));
        return isDone || room.getSnapshot().messages.findLast((one) => one.role === "user")?.text === text;
      },
      unqueue: (id) => room.unqueue(id),
      switchMemory: (isOn) => void attempt(room.switchMemory(isOn)),
      continueAnswer: () => void attempt(room.continueAnswer()),
      stop: () => room.stop(),
      retry: () => void attempt(room.retry()),
      editAndResend: (messageId, text) => void attempt(room.editAndResend(messageId, text)),
      rename: (title) => void attempt(room.rename(title)),
      async condense() {
        await attempt(room.condense().then((isDone) => setNotice(isDone ? sayCondensed(room) : NOTHING_TO_CONDENSE)));
      },
      showVersion: (version) => void attempt(room.showVersion(version)),
      undoCondensing: (eventId) => void attempt(room.undoCondensing(eventId)),
    }),
    [room, book, sources, onRemember, isMemoryOn, attempt],
  );
  return { verbs, notice, setNotice };
}

/** Said where the person is looking: the note in the flow may be out of sight. */
function sayCondensed(room: ChatRoom): Notice {
  const note = room.getSnapshot().notes.findLast(({ isUndone }) => !isUndone);
  const { condensedMessages = 0, tokensBefore = 0, tokensAfter = 0 } = note ?? {};
  const count = formatCount(condensedMessages, "earlier message", "earlier messages");
  return { kind: "word", text: `${count} summarized: ${formatNumber(tokensBefore)} → ${formatTokens(tokensAfter)}.` };
}
