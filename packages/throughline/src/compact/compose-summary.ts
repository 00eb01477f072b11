import { isRecord } from "../internal/json.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { type NoteStyleName, SECTION_TITLES } from "../ledger/render/note-style.ts";
import { writePart } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { SUMMARY_HEADING, SUMMARY_PREFIX } from "../message/message-text.ts";
import type { OpaquePart, Part } from "../message/part.ts";
import { cutText } from "../trim/cut-large-parts.ts";
import type { SummaryProfile } from "./profiles.ts";
import { cleanProse, titlesIn } from "./prose/clean-prose.ts";

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

/** The line above the ledger's text. A model cannot write it. */
const RECORD_HEADING = "## Record (exact, not written by a model)";

/** The same line in a chat. */
const CHAT_RECORD_HEADING = "## In the words of the conversation";

/** All possible lines above the record. */
const RECORD_HEADINGS: readonly string[] = [RECORD_HEADING, CHAT_RECORD_HEADING];

/** Heading of the prose of an earlier summary, if no model merged the two. */
const EARLIER_TITLE = "Earlier Summary";

/** A summary taken apart. */
interface ReadSummary {
  /** Prose by a model or another agent, of this round or an earlier one; "" if there is none. */
  readonly prose: string;
  /** Text of the ledger; `undefined` in a summary of another program. */
  readonly record: string | undefined;
}

/** The last line of a summary of ours. */
const CLOSING = /\n\n(?:This summary incorporates \d+ earlier rounds?\.)?(?: ?Recall it as compaction-\d+\.)?$/;
const MARKS_OF_HEADINGS = /^([^\S\n]*(?:>[^\S\n]*)*)(?:[-*+] +)?#{1,6}(?: +|(?=\S))/gm;

/** The first section of a record without prose before it. */
const BARE_RECORD = new RegExp(
  `^### (?:${SECTION_TITLES.map((title) => title.replace(/[()]/g, "\\$&")).join("|")})\\b`,
);

/** Takes a summary apart, ours or another agent's. */
export function readSummary(text: string): ReadSummary {
  const summary = text.startsWith(`${SUMMARY_PREFIX}\n`) ? text.slice(SUMMARY_PREFIX.length + 1) : text;
  const [above, below] = splitRecord(summary);
  const narrative = SUMMARY_HEADING.test(above) ? above.replace(/^[^\n]*/, "").trim() : above.trim();
  // A note without prose is the record alone.
  if (below === undefined && SUMMARY_HEADING.test(above) && BARE_RECORD.test(narrative))
    return { prose: "", record: narrative };
  return { prose: proseOf(narrative).replace(MARKS_OF_HEADINGS, "$1").trim(), record: below?.trim() };
}

function splitRecord(summary: string): [above: string, below: string | undefined] {
  for (const heading of RECORD_HEADINGS) {
    const at = summary.indexOf(`\n${heading}\n`);
    if (at >= 0) return [summary.slice(0, at), summary.slice(at + heading.length + 2).replace(CLOSING, "")];
  }
  return [summary.replace(CLOSING, ""), undefined];
}

/** The prose of an earlier summary, or its whole text. Summaries of 0.1 without prose quote the assistant. */
function proseOf(narrative: string): string {
  const heading = `### ${EARLIER_TITLE}\n`;
  const at = narrative.indexOf(heading);
  if (at >= 0) return narrative.slice(at + heading.length);
  return narrative.startsWith("### Current State\nThe assistant last wrote: ") ? "" : narrative;
}

const CHAT_HEADING = "## Earlier in this conversation";

/** The line that a summary begins with. */
export function summaryHeading(round: number, style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_HEADING : `## Session Summary (Compaction Round ${round})`;
}

/** The line above the record. */
function recordHeading(style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_RECORD_HEADING : RECORD_HEADING;
}

interface CompactionSummary {
  /** Id of the compaction. */
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly summary: string;
  /** Tokens of the messages that the summary replaces. */
  readonly originalTokens: number;
}

interface SummaryMessageOptions extends CompactionSummary {
  readonly messagesCompacted: number;
  /** The provider's own compaction part, which goes before the summary. */
  readonly native?: OpaquePart["value"] | undefined;
}

interface SummaryMessagesOptions extends CompactionSummary {
  /** Messages that the summary replaces. */
  readonly span: readonly Message[];
  /** True if nothing precedes the summary in the window. */
  readonly isFirst: boolean;
  /** Messages that follow the summary in the window. */
  readonly behind: readonly Message[];
}

/** Returns the summary message, with user messages around it if roles would not alternate otherwise. */
export function summaryMessages(options: SummaryMessagesOptions): Message[] {
  const { span, isFirst, behind, ...made } = options;
  const { id, sessionId, createdAt } = made;
  const native = findNativeCompaction(behind) === undefined ? findNativeCompaction(span) : undefined;
  const say = (name: string, text: string): Message => ({
    id: `${id}/${name}`,
    sessionId,
    createdAt,
    role: "user",
    parts: [{ id: `${id}/${name}.0`, type: "text", synthetic: true, text }],
  });
  return [
    ...(isFirst ? [say("opening", "(What came before is summarized below.)")] : []),
    summaryMessage({ ...made, native, messagesCompacted: span.length }),
    ...(behind[0]?.role === "user" ? [] : [say("continuation", "Continue from where the summary ends.")]),
  ];
}

/** Returns the message that has the summary of a compaction. */
export function summaryMessage(options: SummaryMessageOptions): Message {
  const { id, sessionId, createdAt, summary, messagesCompacted, originalTokens, native } = options;
  return {
    id: `${id}/summary`,
    sessionId,
    createdAt,
    role: "assistant",
    isSummary: true,
    parts: [
      ...(native === undefined
        ? []
        : [{ id: `${id}/summary.native`, type: "opaque", format: "ai-sdk", value: native } as const]),
      {
        id: `${id}/summary.0`,
        type: "compaction-marker",
        summary,
        compactedAt: createdAt,
        messagesCompacted,
        originalTokens,
      },
    ],
  };
}

/**
 * Finds the last compaction that the provider itself made. It has to be sent back unchanged: the model continues from
 * there.
 */
function findNativeCompaction(messages: readonly Message[]): OpaquePart["value"] | undefined {
  const found = messages.flatMap(({ parts }) => parts).findLast(isNative);
  return found && (found.type === "opaque" ? found.value : writePart(found, true));
}

/** OpenAI has its own kind of part for a compaction; Anthropic marks a text in its provider options. */
function isNative(part: Part): boolean {
  if (part.type === "text") return isMarked(part.providerOptions);
  if (part.type !== "opaque" || part.format !== "ai-sdk" || !isRecord(part.value)) return false;
  const { kind, providerOptions } = part.value;
  return (typeof kind === "string" && kind.endsWith(".compaction")) || isMarked(providerOptions);
}

function isMarked(options: unknown): boolean {
  return isRecord(options) && Object.values(options).some((one) => isRecord(one) && one.type === "compaction");
}
