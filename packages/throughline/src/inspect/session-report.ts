import { namedIn } from "../compact/review-compactions.ts";
import { valuesText } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { withoutInjected } from "../ledger/quoted/user-words.ts";
import type { Message, Role } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { SessionMeta } from "../transcript/transcript.ts";
import type { RecordedSession } from "./recorded-sessions.ts";
import { type InspectedCompaction, type SessionInspection, SessionInspector } from "./session-inspector.ts";
import { startRatioOf } from "./window-tracker.ts";

/** Characters of a message that the report shows. */
const MAX_TEXT = 400;
const MAX_TITLE = 100;

/** A message of the session, cut to a line. */
export interface ReportedMessage {
  /** Id in the store, if the session is in one. */
  readonly id?: string;
  readonly role: Role;
  readonly at?: number;
  readonly text: string;
  /** Number of its tool calls, if it has any. */
  readonly toolCalls?: number;
  /** True if a message with tool calls has no text. */
  readonly isOnlyCalls?: true;
  readonly isSummary?: true;
}

/** A summary of the same messages by Throughline, no longer than the agent's. */
interface AlternativeSummary {
  readonly text: string;
  readonly tokens: number;
  /** Names that were needed afterwards and that it has, or lacks. */
  readonly kept: readonly string[];
  readonly missing: readonly string[];
}

export interface ReportedCompaction extends InspectedCompaction {
  /** Names that were needed afterwards and gone: where they were, and where the agent used them again. */
  readonly evidence: readonly NameEvidence[];
  readonly alternative?: AlternativeSummary;
}

/** All that a page shows about a recorded session. */
export interface SessionReport extends Omit<SessionInspection, "compactions"> {
  readonly id: string;
  readonly meta: SessionMeta;
  /** Title of the session, or else the user's first words. */
  readonly title: string;
  readonly messages: readonly ReportedMessage[];
  readonly compactions: readonly ReportedCompaction[];
}

export interface ReportDeps {
  readonly counter: TokenCounter;
  /** The user's words in a message, without text that the client added. */
  readonly readSpeech: (message: Message) => string;
  /** Summarizes messages in at most this many tokens. Without it, the report has no alternatives. */
  readonly summarize?: (messages: readonly Message[], tokens: number) => Promise<string>;
  /** True if the report has the ids of messages. Default: `false`. */
  readonly hasIds?: boolean;
}

/** Reports on a recorded session. The texts of its messages must not contain secrets. */
export async function reportSession(session: RecordedSession, deps: ReportDeps): Promise<SessionReport> {
  const { id, meta, messages, compactions, masks = [] } = session;
  const inspector = new SessionInspector(deps.counter.part, startRatioOf(session));
  const byIndex = Map.groupBy(compactions, ({ at }) => at);
  const masksByIndex = Map.groupBy(masks, ({ at }) => at);
  for (const [i, message] of messages.entries()) {
    for (const { parts } of masksByIndex.get(i) ?? []) inspector.mask(parts);
    for (const compaction of byIndex.get(i) ?? []) inspector.compaction(compaction);
    inspector.message(message, message.role === "user" ? deps.readSpeech(message) : "");
    await yieldToEventLoop();
  }
  for (const compaction of compactions) if (compaction.at >= messages.length) inspector.compaction(compaction);
  const inspection = inspector.result(meta.cwd);
  const reported: ReportedCompaction[] = [];
  for (const [i, compaction] of inspection.compactions.entries()) {
    const before = messages.slice(inspection.compactions[i - 1]?.at ?? 0, compaction.at);
    const evidence = await findEvidence(compaction.review?.missing ?? [], messages, compaction.at);
    reported.push({ ...compaction, evidence, ...(await alternativeTo(compaction, before, deps)) });
  }
  const title = meta.title ?? firstWords(messages, deps.readSpeech) ?? id;
  return {
    id,
    meta,
    title,
    ...inspection,
    messages: messages.map((one) => reportMessage(one, deps)),
    compactions: reported,
  };
}

function firstWords(messages: readonly Message[], readSpeech: ReportDeps["readSpeech"]): string | undefined {
  for (const message of messages) {
    const speech =
      message.role === "user" && message.isSummary !== true ? withoutInjected(readSpeech(message)).trim() : "";
    if (speech !== "") return oneLine(speech, MAX_TITLE);
  }
  return undefined;
}

async function alternativeTo(
  { summary, review }: InspectedCompaction,
  before: readonly Message[],
  { counter, summarize }: ReportDeps,
): Promise<Pick<ReportedCompaction, "alternative">> {
  if (summary === undefined || review === undefined || summarize === undefined || before.length === 0) return {};
  const text = await summarize(before, counter.text(summary));
  const isNamed = namedIn(text);
  const needed = [...review.keptNames, ...review.missing];
  const kept = needed.filter(isNamed);
  const missing = needed.filter((name) => !isNamed(name));
  return { alternative: { text, tokens: counter.text(text), kept, missing } };
}

function reportMessage(message: Message, { hasIds = false }: ReportDeps): ReportedMessage {
  const { id, role, createdAt, isSummary, parts } = message;
  const toolCalls = parts.filter(({ type }) => type === "tool-call").length;
  const hasText = parts.some((part) => part.type === "text" && part.text.trim() !== "");
  // Most of a long text is not shown.
  const text = oneLine(messageText(message).slice(0, 4 * MAX_TEXT), MAX_TEXT);
  return {
    ...(hasIds && { id }),
    role,
    text,
    ...(toolCalls > 0 && { toolCalls, ...(!hasText && { isOnlyCalls: true }) }),
    ...(createdAt > 0 ? { at: createdAt } : {}),
    ...(isSummary === true ? { isSummary } : {}),
  };
}

/** The place of the data in the page. */
const PLACE = '>"REPORT"<';

/**
 * Puts a report into the built report page: one HTML file that makes no requests.
 *
 * @param template Text of the built page
 */
export function reportHtml(template: string, report: SessionReport): string {
  // No text of the session can end the element that holds it.
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return template.replace(PLACE, () => `>${json}<`);
}

type Compared = Pick<InspectedCompaction, "summary" | "review" | "lookups">;

/** Number of names that were needed afterwards and gone. It is 0 if the summary is unreadable, because it may contain the names. */
export function namesGone({ summary, review }: Pick<Compared, "summary" | "review">): number {
  return summary === undefined ? 0 : (review?.missing.length ?? 0);
}

/** Index of the compaction that lost most: names first, then tokens that were looked up again. -1 if there is none. */
export function worstCompaction(compactions: readonly Compared[]): number {
  const losses = compactions.map(
    (one) => 1_000_000 * namesGone(one) + one.lookups.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return losses.length === 0 ? -1 : losses.indexOf(Math.max(...losses));
}

/** Names with evidence per compaction. */
const MAX_NAMES = 200;
/** Messages that are searched before and after a compaction. */
const MAX_MESSAGES = 2_000;
/** Characters of a message that are searched. */
const MAX_SEARCHED = 100_000;
/** Characters shown before and after a name. */
const AROUND = 50;

/** A message with a name, and the words around it. */
export interface NamePlace {
  /** Index of the message in the session. */
  readonly message: number;
  readonly text: string;
}

/** Last position of a name before a compaction, and first use by the agent afterwards. */
export interface NameEvidence {
  readonly name: string;
  readonly source?: NamePlace;
  readonly use?: NamePlace;
}

/**
 * Finds the places of names that were needed after a compaction.
 *
 * @param at Index of the first message after the compaction
 */
export async function findEvidence(
  names: readonly string[],
  messages: readonly Message[],
  at: number,
): Promise<readonly NameEvidence[]> {
  const wanted = names.slice(0, MAX_NAMES);
  const before = messages.slice(Math.max(0, at - MAX_MESSAGES), at);
  const first = at - before.length;
  const sources = await findPlaces(
    wanted,
    before
      .map((message, i) => [first + i, () => `${messageText(withoutCalls(message))} ${callText(message)}`] as const)
      .reverse(),
  );
  const after = messages.slice(at, at + MAX_MESSAGES).map((message, i) => [at + i, () => callText(message)] as const);
  const uses = await findPlaces(wanted, after);
  return wanted.map((name) => {
    const [source, use] = [sources.get(name), uses.get(name)];
    return { name, ...(source !== undefined && { source }), ...(use !== undefined && { use }) };
  });
}

function withoutCalls(message: Message): Message {
  return { ...message, parts: message.parts.filter(({ type }) => type !== "tool-call") };
}

/** Tools and inputs of the calls, without JSON escapes. */
function callText({ parts }: Message): string {
  return parts.map((part) => (part.type === "tool-call" ? `${part.toolName} ${valuesText(part.input)}` : "")).join(" ");
}

/** The first message with each name. */
async function findPlaces(
  names: readonly string[],
  texts: readonly (readonly [message: number, read: () => string])[],
): Promise<ReadonlyMap<string, NamePlace>> {
  const places = new Map<string, NamePlace>();
  let open = names;
  for (const [message, read] of texts) {
    if (open.length === 0) break;
    await yieldToEventLoop();
    const text = read().slice(0, MAX_SEARCHED);
    open = open.filter((name) => {
      const start = text.indexOf(name);
      if (start >= 0) places.set(name, { message, text: wordsAround(text, start, start + name.length) });
      return start < 0;
    });
  }
  return places;
}

function wordsAround(text: string, start: number, end: number): string {
  const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, end + AROUND)];
  const words = oneLine(text.slice(from, to), to - from);
  return `${from > 0 ? "…" : ""}${words}${to < text.length ? "…" : ""}`;
}

/** Options of {@link summarizeMessages}. */
interface SummarizeMessagesOptions {
  /** Instance over a store in memory: the messages are appended to a session of their own. */
  readonly throughline: {
    session(id: string, options: { readonly modelId: string; readonly contextLimit: number }): SummarySession;
    purgeSession(id: string): Promise<unknown>;
  };
  readonly counter: TokenCounter;
  readonly modelId: string;
  /** Maximum size; default: that of a compaction. */
  readonly targetTokens?: number | undefined;
}

interface SummarySession {
  append(messages: readonly Message[]): Promise<unknown>;
  compact(options: {
    readonly targetTokens?: number;
    readonly keepTokens: number;
  }): Promise<{ readonly summary: string } | undefined>;
}

/** Number of sessions that were opened, for their ids. */
let sessions = 0;

/** The handover note that Throughline writes for some messages, without keeping any of them. */
export async function summarizeMessages(
  messages: readonly Message[],
  { throughline, counter, modelId, targetTokens }: SummarizeMessagesOptions,
): Promise<string> {
  sessions += 1;
  const id = `summary-${sessions}`;
  const contextLimit = 2 * counter.messages(messages) + (targetTokens ?? 0);
  const session = throughline.session(id, { modelId, contextLimit });
  await session.append(messages);
  const compaction = await session.compact({ ...(targetTokens !== undefined && { targetTokens }), keepTokens: 0 });
  await throughline.purgeSession(id);
  return compaction?.summary ?? "";
}
