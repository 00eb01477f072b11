import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { NoteStyleName } from "../ledger/render/note-style.ts";
import { cutText } from "../trim/cut-text.ts";
import type { SummaryProfile } from "./profiles.ts";
import { cleanProse, titlesIn } from "./prose/clean-prose.ts";
import { EARLIER_TITLE, recordHeading, summaryHeading } from "./summary-heading.ts";

export interface SummaryParts {
  readonly round: number;
  /** Prose by a model, if there is any. */
  readonly prose: string | undefined;
  /** Text of an earlier summary with its token budget. Used only if there is no prose. */
  readonly earlier?: { readonly text: string; readonly tokens: number };
  /**
   * Profile whose sections the prose may have. Not needed for prose of {@link trySummary}, which has no other sections.
   */
  readonly profile?: SummaryProfile;
  /** For whom the summary is written (default: an agent). A chat names no rounds and no handles. */
  readonly style?: NoteStyleName;
  /** Renders the ledger within a budget of tokens, with or without its narrative. */
  readonly ledger: (budget: number, narrative: boolean) => string;
  /** Maximum tokens of the summary. */
  readonly targetTokens: number;
  readonly count: (text: string) => number;
  /** Handle that expands to the original messages. */
  readonly handle?: string;
}

/** Maximum share of the summary for prose. The ledger gets the rest. */
const PROSE_SHARE = 0.4;
/** Minimum tokens for prose. With less room, prose is left out. */
export const MIN_STORY_TOKENS = 24;
/** Maximum attempts to render a smaller ledger, because token counts of parts do not add up exactly. */
const TRIES = 3;

/**
 * Composes the summary. With prose: heading, prose, then the ledger under a heading of its own. Without: heading, then
 * the ledger with its narrative. The summary never exceeds the target: if that is too small, the prose is left out
 * first, then the closing note with the handle. Returns "" if not even the heading fits.
 */
export async function composeSummary(parts: SummaryParts): Promise<string> {
  const { round, style, prose, ledger, targetTokens, count } = parts;
  const heading = summaryHeading(round, style);
  const note = style === "chat" ? "" : closingNote(round, parts.handle);
  const record = recordHeading(style);
  const prosePart = narrativeOf(parts, targetTokens - count(`${heading}\n\n${note}\n\n${record}\n\n`));
  const layouts = [
    ...(prosePart === ""
      ? []
      : [{ above: [heading, prosePart], title: record, below: note, narrative: prose === undefined }]),
    { above: [heading], title: "", below: note, narrative: true },
    { above: [heading], title: "", below: "", narrative: true },
  ];
  for (const { above, title, below, narrative } of layouts) {
    let maxTokens = targetTokens - count(joined([...above, title, below]));
    for (let tries = 0; tries < TRIES && maxTokens > 0; tries += 1) {
      await yieldToEventLoop();
      const text = joined([...above, title, ledger(maxTokens, narrative), below]);
      const over = count(text) - targetTokens;
      if (over <= 0) return text;
      maxTokens -= over;
    }
    const withoutRecord = joined([...above, below]);
    if (count(withoutRecord) <= targetTokens) return withoutRecord;
  }
  return "";
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

function closingNote(round: number, handle: string | undefined): string {
  const rounds = round > 1 ? `This summary incorporates ${round - 1} earlier ${round === 2 ? "round" : "rounds"}.` : "";
  const recall = handle === undefined ? "" : `Recall it as ${handle}.`;
  return [rounds, recall].filter((text) => text !== "").join(" ");
}

/** Prose within its share of the room, or else the text of an earlier summary. */
function narrativeOf({ prose, profile, earlier, count }: SummaryParts, maxTokens: number): string {
  if (prose !== undefined) {
    const titles = profile?.sections.map(({ title }) => title);
    return cutStory(cleanProse(prose, titles), maxTokens * PROSE_SHARE, count);
  }
  if (earlier === undefined || earlier.text === "") return "";
  const before = cleanProse(`### ${EARLIER_TITLE}\n${earlier.text}`, [EARLIER_TITLE]);
  return cutStory(before, Math.min(earlier.tokens, maxTokens), count);
}

function cutStory(narrative: string, most: number, count: (text: string) => number): string {
  if (!(most >= MIN_STORY_TOKENS)) return "";
  const cut = cutText(narrative, Math.floor(most), "shortened", count);
  // After a cut, a line may look like a heading.
  return cut === narrative ? narrative : cleanProse(cut, titlesIn(narrative));
}
