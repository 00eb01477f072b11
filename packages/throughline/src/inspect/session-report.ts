import { namedIn } from "../compact/needed-names.ts";
import { oneLine } from "../internal/text.ts";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { withoutInjected } from "../ledger/quoted/injected.ts";
import type { Message, Role } from "../message/message.ts";
import { messageText } from "../message/message-text.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { SessionMeta } from "../transcript/transcript.ts";
import { findEvidence, type NameEvidence } from "./name-evidence.ts";
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
