import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemorySource, Utterance } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, visibleSpaces } from "../space/spaces.ts";

/** Characters of a message that are returned around the quote. */
const MAX_EXCERPT = 4_000;

/** A source of a memory with its stored message. */
export interface MemoryEvidence extends MemorySource {
  /** The stored message, cut around the quote if it is long; missing if it is not stored. */
  readonly message?: {
    readonly role: string;
    readonly text: string;
    /** True if text before or after the excerpt is left out. */
    readonly isCut: boolean;
  };
  /** Range of the quote in the text of the message, `end` exclusive; missing if the message does not contain it. */
  readonly match?: { readonly start: number; readonly end: number };
  /** True if the message contains the quote verbatim. Missing if there is no message or no quote to compare. */
  readonly isVerbatim?: boolean;
}

/** Reads the messages that a memory comes from, latest first. */
export async function readEvidence(
  context: MemoryContext,
  { source, earlierSources = [], levels, byHand }: Memory,
): Promise<readonly MemoryEvidence[]> {
  const sources = [source, ...earlierSources].filter(
    ({ sessionId, messageId }) => (sessionId ?? messageId) !== undefined,
  );
  const turns = await readTurns(context, sources);
  return sources.map((one) => {
    const turn = turns.get(keyOf(one));
    // A memory that was extracted without a quote has the words of its message.
    const quote = one.quote ?? (byHand ? undefined : levels.full);
    return omitUndefined({ ...one, ...(turn && readMessage(turn.text, quote, turn.role)) });
  });
}

function readMessage(text: string, quote: string | undefined, role: string): Omit<MemoryEvidence, keyof MemorySource> {
  const found = quote === undefined ? undefined : findQuote(text, quote);
  const { start, end } = found ?? { start: 0, end: 0 };
  const from =
    text.length <= MAX_EXCERPT ? 0 : Math.max(0, Math.min(start - MAX_EXCERPT / 4, text.length - MAX_EXCERPT));
  const excerpt = text.slice(from, Math.max(from + MAX_EXCERPT, end));
  return omitUndefined({
    message: { role, text: excerpt, isCut: excerpt.length < text.length },
    match: found && { start: start - from, end: end - from },
    isVerbatim: quote === undefined ? undefined : found !== undefined,
  });
}

/** Range of a quote in a text. Line breaks and repeated spaces count as one space. */
function findQuote(text: string, quote: string): { readonly start: number; readonly end: number } | undefined {
  const words = quote.trim().split(/\s+/);
  if (words[0] === "") return undefined;
  const pattern = new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+"));
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

async function readTurns(
  context: MemoryContext,
  sources: readonly MemorySource[],
): Promise<ReadonlyMap<string, Utterance>> {
  const ids = sources.flatMap(({ sessionId, messageId }) =>
    messageId === undefined ? [] : [messageId, `${sessionId}/${messageId}`],
  );
  const found = new Map<string, Utterance>();
  if (ids.length === 0) return found;
  for (const space of visibleSpaces(context)) {
    for (const turn of await context.memoryStore.get(space, "turns", ids)) {
      const key = keyOf({ sessionId: turn.sessionId, messageId: turn.messageId ?? turn.id });
      if (isVisible(turn, context) && !found.has(key)) found.set(key, turn);
    }
  }
  return found;
}

function keyOf({ sessionId, messageId }: Pick<MemorySource, "sessionId" | "messageId">): string {
  return `${sessionId}\n${messageId}`;
}
