import { cutMiddle } from "../internal/one-line.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { Message } from "../message/message.ts";
import { cutText } from "../trim/cut-text.ts";
import { cleanProse, titlesIn } from "./clean-prose.ts";
import { textOf } from "./original-task.ts";
import type { SummaryProfile } from "./profiles/profile.ts";
import { EARLIER_TITLE, NARRATIVE, RECORD_HEADING, summaryHeading } from "./summary-heading.ts";

export interface SummaryParts {
  readonly round: number;
  /** Prose by a model, if there is any. */
  readonly prose: string | undefined;
  /** Text of an earlier summary with its token budget. Used only if there is no prose. */
  readonly earlier?: { readonly text: string; readonly tokens: number };
  /** Profile whose sections the prose may have. Not needed for prose of {@link trySummary}, which has no other sections. */
  readonly profile?: SummaryProfile;
  /** Renders the ledger within a budget of tokens. */
  readonly ledger: (budget: number) => string;
  /** Messages that the summary replaces. Source of the narrative if there is no prose. */
  readonly messages: readonly Message[];
  /** Maximum tokens of the summary. */
  readonly targetTokens: number;
  readonly count: (text: string) => number;
  /** Handle that expands to the original messages. */
  readonly handle?: string;
}

/** Maximum share of the summary for prose. The ledger gets the rest. */
const PROSE_SHARE = 0.4;
const NARRATIVE_TOKENS = 96;
const NARRATIVE_SHARE = 0.06;
/** Maximum characters of the assistant's last message to read. Of a longer one, head and tail are used. */
const MAX_NARRATIVE_READ = 20_000;
/** Minimum tokens for prose. With less room, prose is left out. */
export const MIN_STORY_TOKENS = 24;
/** Maximum attempts to render a smaller ledger, because token counts of parts do not add up exactly. */
const TRIES = 3;

/**
 * Composes the summary of the messages: heading, prose or narrative, then the ledger under its own heading. The summary
 * never exceeds the target: if that is too small, the prose is left out first, then the closing note with the handle.
 * Returns "" if not even the heading fits.
 */
export async function composeSummary(parts: SummaryParts): Promise<string> {
  const { round, targetTokens, count } = parts;
  const heading = summaryHeading(round);
  const note = closingNote(round, parts.handle);
  const story = storyOf(parts, targetTokens - count(`${heading}\n\n${note}\n\n${RECORD_HEADING}\n\n`));
  return (
    (await withRecord([heading, story], note, parts)) ??
    (await withRecord([heading], note, parts)) ??
    (await withRecord([heading], "", parts)) ??
    ""
  );
}

/** Text with as much of the ledger as fits between `above` and `below`; `undefined` if those alone do not fit. */
async function withRecord(
  above: readonly string[],
  below: string,
  { ledger, targetTokens, count }: SummaryParts,
): Promise<string | undefined> {
  let room = targetTokens - count(joined([...above, RECORD_HEADING, below]));
  for (let tries = 0; tries < TRIES && room > 0; tries += 1) {
    await yieldToEventLoop();
    const record = ledger(room);
    const text = joined([...above, ...(record === "" ? [] : [RECORD_HEADING, record]), below]);
    const over = count(text) - targetTokens;
    if (over <= 0) return text;
    room -= over;
  }
  const bare = joined([...above, below]);
  return count(bare) <= targetTokens ? bare : undefined;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

function closingNote(round: number, handle: string | undefined): string {
  const rounds = round > 1 ? `This summary incorporates ${round - 1} earlier ${round === 2 ? "round" : "rounds"}.` : "";
  const recall = handle === undefined ? "" : `Recall it as ${handle}.`;
  return [rounds, recall].filter((text) => text !== "").join(" ");
}

/** Prose within its share of the room, or else the narrative with the text of an earlier summary. */
function storyOf({ prose, profile, messages, earlier, count }: SummaryParts, room: number): string {
  if (prose !== undefined) {
    const titles = profile?.sections.map(({ title }) => title);
    return cutStory(cleanProse(prose, titles), room * PROSE_SHARE, count);
  }
  const now = cutStory(narrative(messages, count), Math.min(NARRATIVE_TOKENS, room * NARRATIVE_SHARE), count);
  if (earlier === undefined || earlier.text === "") return now;
  const before = cleanProse(`### ${EARLIER_TITLE}\n${earlier.text}`, [EARLIER_TITLE]);
  return joined([now, cutStory(before, Math.min(earlier.tokens, room), count)]);
}

function cutStory(story: string, most: number, count: (text: string) => number): string {
  if (!(most >= MIN_STORY_TOKENS)) return "";
  const cut = cutText(story, Math.floor(most), "shortened", count);
  // After a cut, a line may look like a heading.
  return cut === story ? story : cleanProse(cut, titlesIn(story));
}

/** Current state, quoted from the assistant's last message. */
function narrative(messages: readonly Message[], count: (text: string) => number): string {
  const spoke = messages.findLast(
    (message) => message.role === "assistant" && !message.isSummary && textOf(message).trim() !== "",
  );
  if (spoke === undefined) return "";
  const last = cutMiddle(textOf(spoke).trim(), MAX_NARRATIVE_READ).replaceAll(/\s+/g, " ");
  const sentence = cutText(last, NARRATIVE_TOKENS - 24, "shortened", count);
  return `${NARRATIVE}${sentence.replaceAll("\n", " ")}`;
}
