import { PROVIDERS, type Provider } from "../../message/legality-rules.ts";
import type { Message } from "../../message/message.ts";
import type { Part } from "../../message/part.ts";
import { type Violation, validateWindow } from "../../message/validate-window.ts";
import { countPartTokens } from "../../tokens/count-message.ts";
import { counterFor } from "../../tokens/count-tokens.ts";
import { getModelLimits } from "../../tokens/model-limits.ts";
import type { SessionMeta, Skipped, TranscriptCompaction, TranscriptEvent } from "../../transcript/transcript.ts";

const FIRST_VIOLATIONS = 5;
const FIRST_SKIPPED = 20;

export interface CompactionSurvey extends Omit<TranscriptCompaction, "window"> {
  readonly summaryTokens?: number;
}

export interface SessionSurvey {
  readonly id: string;
  readonly meta: SessionMeta;
  readonly messages: Readonly<Record<string, number>>;
  /** Messages of the user that a person wrote. */
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
  readonly passedOver: Readonly<Record<string, number>>;
}

interface OpenSession {
  readonly id: string;
  meta: SessionMeta;
  /** Without their texts: enough to judge the order, whatever the size of the file. */
  readonly skeleton: Message[];
  spoken: number;
  readonly toolCalls: Tally;
  readonly tokens: Tally;
  readonly compactions: CompactionSurvey[];
}

/** Gathers what there is to say of a transcript while it is read. */
export class Survey {
  readonly #model: string;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #skipped: Skipped[] = [];
  readonly #skippedByKind = new Tally();
  readonly #passedOver = new Tally();
  #format: string | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  take(event: TranscriptEvent): void {
    switch (event.type) {
      case "format":
        this.#format = event.format;
        break;
      case "session":
        this.#sessions.set(event.id, openSession(event.id, event.meta));
        break;
      case "message":
        this.#message(event.sessionId, event.message);
        break;
      case "compaction": {
        const { window: _, ...compaction } = event.compaction;
        const { summary } = compaction;
        const summaryTokens = summary === undefined ? {} : { summaryTokens: counterFor(this.#model).count(summary) };
        this.#sessions.get(event.sessionId)?.compactions.push({ ...compaction, ...summaryTokens });
        break;
      }
      case "meta": {
        const session = this.#sessions.get(event.sessionId);
        if (session !== undefined) session.meta = { ...session.meta, ...event.meta };
        break;
      }
      case "skipped":
        this.#skippedByKind.add(event.skipped.kind);
        if (this.#skipped.length < FIRST_SKIPPED) this.#skipped.push(event.skipped);
        break;
      case "passed-over":
        this.#passedOver.add(event.kind);
    }
  }

  #message(sessionId: string, message: Message): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    for (const part of message.parts) {
      if (part.type === "tool-call") session.toolCalls.add(part.toolName);
      session.tokens.add(kindOf(part, message), countPartTokens(part, { modelId: this.#model }));
    }
    if (message.role === "user" && message.parts.some((part) => part.type === "text" && part.synthetic !== true)) {
      session.spoken += 1;
    }
    session.skeleton.push({ ...message, parts: message.parts.map(withoutText) });
  }

  result(): SurveyResult {
    return {
      format: this.#format,
      warning: getModelLimits(this.#model).warning,
      sessions: [...this.#sessions.values()].map(closeSession),
      skipped: {
        total: this.#skippedByKind.total,
        byKind: this.#skippedByKind.toJSON(),
        first: this.#skipped,
      },
      passedOver: this.#passedOver.toJSON(),
    };
  }
}

/** Counts by name, most first. */
class Tally {
  readonly #counts = new Map<string, number>();
  total = 0;

  add(name: string, amount = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + amount);
    this.total += amount;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([, a], [, b]) => b - a));
  }
}

function openSession(id: string, meta: SessionMeta): OpenSession {
  return { id, meta, skeleton: [], spoken: 0, toolCalls: new Tally(), tokens: new Tally(), compactions: [] };
}

function closeSession(session: OpenSession): SessionSurvey {
  const byRole = new Tally();
  for (const message of session.skeleton) byRole.add(message.role);
  const found = PROVIDERS.map((provider) => [provider, validateWindow(session.skeleton, provider)] as const);
  const strictest = found.map(([, violations]) => violations).sort((a, b) => b.length - a.length)[0] ?? [];
  return {
    id: session.id,
    meta: session.meta,
    messages: byRole.toJSON(),
    spoken: session.spoken,
    toolCalls: session.toolCalls.toJSON(),
    tokens: session.tokens.toJSON(),
    compactions: session.compactions,
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
      return {
        type,
        id,
        toolCallId,
        toolName,
        input: {},
        ...(providerExecuted === undefined ? {} : { providerExecuted }),
      };
    }
    case "tool-result": {
      const { type, id, toolCallId, toolName } = part;
      return { type, id, toolCallId, toolName, output: { type: "text", value: "…" } };
    }
    case "file":
      return { type: part.type, id: part.id, mediaType: part.mediaType, data: { type: "text", text: "…" } };
    default:
      return part;
  }
}
