import type { Message } from "../message/message.ts";
import { cutText } from "../trim/cut-text.ts";
import { textOf } from "./original-task.ts";

export interface SummaryParts {
  readonly round: number;
  /** Prose by a model, or none. */
  readonly prose: string | undefined;
  /** Renders the ledger into so many tokens. */
  readonly ledger: (budget: number) => string;
  /** What the summary replaces: the narrative is taken from it where there is no prose. */
  readonly messages: readonly Message[];
  readonly targetTokens: number;
  readonly count: (text: string) => number;
  /** Under which the messages can be had again. */
  readonly handle?: string;
}

/** Prose may take this share; the ledger, on which everything depends, takes the rest. */
const PROSE_SHARE = 0.4;
const NARRATIVE_TOKENS = 96;
const NARRATIVE_SHARE = 0.06;

/** The text that stands for the messages: heading, prose or narrative, then the ledger, within the target. */
export function composeSummary(parts: SummaryParts): string {
  const { round, prose, ledger, messages, targetTokens, count } = parts;
  const heading = `## Session Summary (Compaction Round ${round})`;
  const note = closingNote(round, parts.handle);
  const body = prose === undefined ? narrative(messages, count) : withoutHeading(prose);
  const room = targetTokens - count(heading) - count(note) - 8;
  const most = prose === undefined ? Math.min(NARRATIVE_TOKENS, room * NARRATIVE_SHARE) : room * PROSE_SHARE;
  const story = most < 24 ? "" : cutText(body, Math.floor(most), "shortened", count);
  const record = ledger(Math.max(0, room - count(story)));
  return [heading, story, record, note].filter((text) => text !== "").join("\n\n");
}

function closingNote(round: number, handle: string | undefined): string {
  const rounds = round > 1 ? `This summary incorporates ${round - 1} earlier ${round === 2 ? "round" : "rounds"}.` : "";
  const recall = handle === undefined ? "" : `Recall it as ${handle}.`;
  return [rounds, recall].filter((text) => text !== "").join(" ");
}

function withoutHeading(prose: string): string {
  return prose.replace(/^#{1,4} Session Summary[^\n]*\n+/, "").trim();
}

/** Where things stand, in the assistant's own last words. */
function narrative(messages: readonly Message[], count: (text: string) => number): string {
  const said = messages
    .filter((message) => message.role === "assistant" && !message.isSummary)
    .map((message) => textOf(message).trim())
    .filter((text) => text !== "");
  const last = said.at(-1);
  if (last === undefined) return "";
  const sentence = cutText(last.replaceAll(/\s+/g, " "), NARRATIVE_TOKENS - 24, "shortened", count);
  return `### Current State\nThe assistant last wrote: ${sentence.replaceAll("\n", " ")}`;
}
