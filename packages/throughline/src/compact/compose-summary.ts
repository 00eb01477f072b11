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
  /** Prose by a model, or none. */
  readonly prose: string | undefined;
  /** What an earlier summary says, and the tokens for it, where there is no prose that integrates it. */
  readonly earlier?: { readonly text: string; readonly tokens: number };
  /** Whose sections the prose may have; what {@link trySummary} gave has no others already. */
  readonly profile?: SummaryProfile;
  /** Renders the ledger into so many tokens. */
  readonly ledger: (budget: number) => string;
  /** What the summary replaces: the narrative is taken from it where there is no prose. */
  readonly messages: readonly Message[];
  /** Tokens that all of it may have. */
  readonly targetTokens: number;
  readonly count: (text: string) => number;
  /** Under which the messages can be had again. */
  readonly handle?: string;
}

/** Prose may take this share; the ledger, on which everything depends, takes the rest. */
const PROSE_SHARE = 0.4;
const NARRATIVE_TOKENS = 96;
const NARRATIVE_SHARE = 0.06;
/** Characters that are read of the assistant's last words: of longer ones the head and the tail. */
const MAX_NARRATIVE_READ = 20_000;
/** Minimum room for prose in tokens: with less there is none. */
export const MIN_STORY_TOKENS = 24;
/** How often the ledger is asked for less, because tokens do not add up exactly. */
const TRIES = 3;

/**
 * The text that stands for the messages: heading, prose or narrative, then what the ledger says under a heading of its
 * own. Never more than the target: where that is too small, first the prose goes, then the handle; "" where not even the
 * heading fits.
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

/** The ledger between what stands above and below it, as much of it as fits; `undefined` where even those do not. */
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

/** Prose in its share of the room, or the narrative and what an earlier summary says. */
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
  // A cut may fall before what looks like a heading then.
  return cut === story ? story : cleanProse(cut, titlesIn(story));
}

/** Where things stand, in the assistant's own last words. */
function narrative(messages: readonly Message[], count: (text: string) => number): string {
  const spoke = messages.findLast(
    (message) => message.role === "assistant" && !message.isSummary && textOf(message).trim() !== "",
  );
  if (spoke === undefined) return "";
  const last = cutMiddle(textOf(spoke).trim(), MAX_NARRATIVE_READ).replaceAll(/\s+/g, " ");
  const sentence = cutText(last, NARRATIVE_TOKENS - 24, "shortened", count);
  return `${NARRATIVE}${sentence.replaceAll("\n", " ")}`;
}
