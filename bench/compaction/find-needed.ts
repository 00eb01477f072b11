import type { Message } from "throughline";
import { findIdentifiers } from "./identifiers.ts";
import { readMessages, readPart, readValues } from "./message-text.ts";

const CALLS = 40;

/** What happened after a compaction, in order: the agent typed something, or somebody showed it something. */
interface Event {
  readonly kind: "typed" | "shown";
  readonly text: string;
}

/**
 * The identifiers that the agent typed in its next 40 calls out of what it had seen before the compaction: they are
 * identifiers of `pre`, and nobody showed them again in `post` before their first use there. A name inside of a longer
 * one is another name: read so, the sketch has the recall that METRICS gives for it.
 */
export function findNeeded(pre: readonly Message[], post: readonly Message[]): string[] {
  const before = findIdentifiers(readMessages(pre));
  const shown = new Set<string>();
  const needed = new Set<string>();
  let calls = 0;
  for (const { kind, text } of post.flatMap(readEvents)) {
    const words = findIdentifiers(text);
    if (kind === "shown") {
      for (const word of words) shown.add(word);
      continue;
    }
    calls += 1;
    if (calls > CALLS) break;
    for (const word of words) if (before.has(word) && !shown.has(word)) needed.add(word);
  }
  return [...needed];
}

function readEvents(message: Message): Event[] {
  return message.parts.flatMap((part): Event[] => {
    if (part.type === "tool-call") return [{ kind: "typed", text: readValues(part.input) }];
    const isShown = part.type === "tool-result" || (message.role === "user" && part.type === "text");
    return isShown ? [{ kind: "shown", text: readPart(part) }] : [];
  });
}
