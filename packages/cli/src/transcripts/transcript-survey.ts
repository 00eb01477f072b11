import { getModelLimits, type Message, type Part, type Provider, type Violation, validateWindow } from "throughline";
import { SessionCollector } from "throughline/internal/engine";
import { type CompactionReview, CompactionReviewer } from "throughline/internal/inspect";
import { isRecord, omitUndefined, PROVIDERS, redactMessage } from "throughline/internal/util";
import type { ToolOutput } from "throughline/messages";
import { counterFor, countPartTokens } from "throughline/tokens";
import type { SessionMeta, Skipped, TranscriptCompaction, TranscriptEvent } from "throughline/transcript";

const FIRST_VIOLATIONS = 5;
const FIRST_SKIPPED = 20;

export interface CompactionSurvey extends Omit<TranscriptCompaction, "window"> {
  readonly summaryTokens?: number;
  /** The kept names among those needed afterwards, if the transcript has the summary or the window. */
  readonly names?: CompactionReview;
}

export interface SessionSurvey {
  readonly id: string;
  readonly meta: SessionMeta;
  readonly messages: Readonly<Record<string, number>>;
  /** User messages that a person wrote. */
  readonly spoken: number;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly tokens: Readonly<Record<string, number>>;
  readonly compactions: readonly CompactionSurvey[];
  readonly violations: Readonly<Record<Provider, number>>;
  readonly firstViolations: readonly Violation[];
}

export interface SurveyResult {
  readonly format: string | undefined;
  readonly warning: string | undefined;
  readonly sessions: readonly SessionSurvey[];
  readonly skipped: {
    readonly total: number;
    readonly byKind: Readonly<Record<string, number>>;
    readonly first: readonly Skipped[];
  };
  readonly ignored: Readonly<Record<string, number>>;
}

interface OpenSession {
  /** Messages without their texts, enough to check the order for any file size. */
  readonly skeleton: Message[];
  spoken: number;
  readonly toolCalls: OutcomeCounts;
  readonly tokens: OutcomeCounts;
  readonly compactions: CompactionSurvey[];
  readonly reviewer: CompactionReviewer;
}

/** Collects statistics of a transcript while it is read. */
export class Survey {
  readonly #model: string;
  readonly #skipped: Skipped[] = [];
  readonly #skippedByKind = new OutcomeCounts();
  readonly #gatherer = new SessionCollector<OpenSession>({
    open: openSession,
    message: (session, message) => this.#message(session, message),
    compaction: (session, compaction) => this.#compaction(session, compaction),
    skipped: (skipped) => this.#skip(skipped),
  });

  constructor(model: string) {
    this.#model = model;
  }

  take(event: TranscriptEvent): void {
    this.#gatherer.take(event);
  }

  result(): SurveyResult {
    return {
      format: this.#gatherer.format,
      warning: getModelLimits(this.#model).warning,
      sessions: [...this.#gatherer.sessions].map(([id, { kept, meta }]) => ({ id, meta, ...closeSession(kept, meta) })),
      skipped: {
        total: this.#skippedByKind.total,
        byKind: this.#skippedByKind.toJSON(),
        first: this.#skipped,
      },
      ignored: byAmount(this.#gatherer.ignored),
    };
  }

  #message(session: OpenSession, message: Message): void {
    for (const part of message.parts) {
      if (part.type === "tool-call") session.toolCalls.add(part.toolName);
      session.tokens.add(kindOf(part, message), countPartTokens(part, { modelId: this.#model }));
    }
    if (message.role === "user" && message.parts.some((part) => part.type === "text" && part.synthetic !== true)) {
      session.spoken += 1;
    }
    session.reviewer.message(redactMessage(message).message);
    session.skeleton.push({ ...message, parts: message.parts.map(withoutText) });
  }

  #compaction(session: OpenSession, found: TranscriptCompaction): void {
    session.reviewer.compaction(found);
    const { window: _, ...compaction } = found;
    const { summary } = compaction;
    const summaryTokens = summary === undefined ? {} : { summaryTokens: counterFor(this.#model).count(summary) };
    session.compactions.push({ ...compaction, ...summaryTokens });
  }

  #skip(skipped: Skipped): void {
    this.#skippedByKind.add(skipped.kind);
    if (this.#skipped.length < FIRST_SKIPPED) this.#skipped.push(skipped);
  }
}

/** Counts by name, highest first. */
class OutcomeCounts {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(name: string, amount = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
    this.total += amount;
  }

  toJSON(): Record<string, number> {
    return byAmount(this.#counts);
  }
}

function byAmount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

function openSession(): OpenSession {
  const counts = { toolCalls: new OutcomeCounts(), tokens: new OutcomeCounts() };
  return { skeleton: [], spoken: 0, ...counts, compactions: [], reviewer: new CompactionReviewer() };
}

function closeSession(session: OpenSession, { cwd }: SessionMeta): Omit<SessionSurvey, "id" | "meta"> {
  const byRole = new OutcomeCounts();
  for (const message of session.skeleton) byRole.add(message.role);
  const found = PROVIDERS.map((provider) => [provider, validateWindow(session.skeleton, provider)] as const);
  const reviews = session.reviewer.reviews(cwd);
  const strictest = found.map(([, violations]) => violations).sort((a, b) => b.length - a.length)[0] ?? [];
  return {
    messages: byRole.toJSON(),
    spoken: session.spoken,
    toolCalls: session.toolCalls.toJSON(),
    tokens: session.tokens.toJSON(),
    compactions: session.compactions.map((one, i) => ({ ...one, ...omitUndefined({ names: reviews[i] }) })),
    violations: Object.fromEntries(found.map(([name, list]) => [name, list.length])) as Record<Provider, number>,
    firstViolations: strictest.slice(0, FIRST_VIOLATIONS),
  };
}

const KINDS: Partial<Record<Part["type"], string>> = {
  "tool-call": "calls",
  "tool-result": "results",
  reasoning: "reasoning",
  "reasoning-file": "reasoning",
  file: "files",
  "compaction-marker": "summaries",
};

function kindOf(part: Part, message: Message): string {
  if (part.type === "text") return message.isSummary ? "summaries" : message.role;
  return KINDS[part.type] ?? "other";
}

function withoutText(part: Part): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, id: part.id, text: part.text.trim() === "" ? "" : "…" };
    case "tool-call": {
      const { type, id, toolCallId, toolName, providerExecuted } = part;
      return omitUndefined({
        type,
        id,
        toolCallId,
        toolName,
        input: isRecord(part.input) ? {} : "…",
        providerExecuted,
      });
    }
    case "tool-result": {
      const { type, id, toolCallId, toolName, providerExecuted } = part;
      const isDenied = part.output.type === "execution-denied";
      const output: ToolOutput = isDenied ? { type: "execution-denied" } : { type: "text", value: "…" };
      return omitUndefined({ type, id, toolCallId, toolName, output, providerExecuted });
    }
    case "file":
      return { type: part.type, id: part.id, mediaType: part.mediaType, data: { type: "text", text: "…" } };
    case "opaque":
      return { ...part, value: null };
    default:
      return part;
  }
}
