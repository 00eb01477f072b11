import { useEffect, useRef } from "react";
import { announce } from "../../../ui/announce.ts";
import type { ShownMessage } from "../../chat.ts";

/** More than this is not read out; it stands in the conversation. */
const READ_OUT = 600;

/** Reads out an answer once, when it is finished. */
export function useAnnouncedAnswers(messages: readonly ShownMessage[]): void {
  const last = messages.at(-1);
  const streamed = useRef<string>(undefined);
  useEffect(() => {
    if (last === undefined) return;
    if (last.state === "streaming") streamed.current = last.id;
    else if (streamed.current === last.id) {
      streamed.current = undefined;
      announce(finishedWords(last));
    }
  }, [last]);
}

/** Announcement of a finished answer. */
export function finishedWords({ state, text, problem }: ShownMessage): string {
  if (state === "failed") return `The reply failed. ${problem ?? ""}`.trim();
  const said = text.length > READ_OUT ? `${text.slice(0, READ_OUT)}… The rest is in the conversation.` : text;
  return state === "stopped" || state === "interrupted" ? `Stopped. ${said}` : `Reply: ${said}`;
}
