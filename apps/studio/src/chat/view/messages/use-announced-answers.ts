import { useEffect, useRef } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { announce } from "../../../ui/announce.ts";
import { isPartial, type ShownMessage } from "../../chat.ts";

const { announce: copy } = chatCopy;

/** Maximum characters that are announced. */
const READ_OUT = 600;

/** Announces an answer to screen readers once it is finished. */
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
  if (state === "failed") return copy.failed(problem ?? "");
  const said = text.length > READ_OUT ? `${text.slice(0, READ_OUT)}${copy.rest}` : text;
  if (state === "cut" || state === "filtered") return `${chatCopy.message[state]} ${said}`;
  return isPartial(state) ? copy.stopped(said) : copy.reply(said);
}
