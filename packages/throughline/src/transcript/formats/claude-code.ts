import {
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";
import { ClaudeCodeThread } from "./claude-code-thread.ts";

/**
 * Claude Code records without messages, as of version 2.1.325. Titles, queued prompts and messages are read elsewhere.
 */
export const CLAUDE_CODE_BOOKKEEPING: ReadonlySet<unknown> = new Set([
  "agent-color",
  "agent-setting",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "artifact-autoreact-ledger",
  "artifact-comment-monitor",
  "atis-latch",
  "attachment",
  "attribution-snapshot",
  "bridge-session",
  "content-replacement",
  "continued-in",
  "cost-state",
  "data-flow-incomplete",
  "data-flow-records",
  "derived-from",
  "dev-mods",
  "ended-by-model",
  "file-history-delta",
  "file-history-snapshot",
  "fork-context-ref",
  "frame-link",
  "history-suppression",
  "isolation-latch",
  "last-prompt",
  "memory-mode",
  "mode",
  "observer-ref",
  "permission-mode",
  "pr-link",
  "progress",
  "relocated",
  "repl-mode",
  "resume-head-vouch",
  "session-owner",
  "system",
  "tag",
  "tools-used",
  "worktree-state",
]);

/** Title sources by rank: the user's title wins over the agent's, the agent's over a summary. */
const TITLES: Readonly<Record<string, { readonly field: string; readonly rank: number }>> = {
  summary: { field: "summary", rank: 1 },
  "ai-title": { field: "aiTitle", rank: 2 },
  "agent-name": { field: "agentName", rank: 3 },
  "custom-title": { field: "customTitle", rank: 4 },
};

/** Fields that the first record of a session may lack. */
const LATE_FACTS = ["cwd", "branch", "version"] as const;

/** Claude Code: one line per content block, lines of sub-agents in between, compactions as a boundary and a summary. */
export class ClaudeCodeReader implements RecordReader {
  readonly #emit: Emit;
  /** Uuids of lines read so far: a resumed session copies earlier lines. */
  readonly #seen = new Set<string>();
  readonly #threads = new Map<string, ClaudeCodeThread>();
  /** Thread key → metadata of its session. */
  readonly #known = new Map<string, SessionMeta>();
  /** Uuid of a sub-agent's line → thread key. Includes lines without messages, because other lines refer to them. */
  readonly #sideThreads = new Map<string, string>();
  #title: { readonly rank: number; readonly text: string | undefined } = { rank: 0, text: undefined };

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line }: RecordPlace): void {
    const uuid = isRecord(record) ? stringField(record, "uuid") : undefined;
    if (isRecord(record)) this.#learn(record);
    if (!isRecord(record)) this.#skip(line, "broken", "not an object");
    else if (uuid !== undefined && this.#seen.has(uuid)) this.#skip(line, "duplicate", `line ${uuid} came before`);
    else if (record.type === "user" || record.type === "assistant") this.#thread(record).take(record, line);
    else if (record.type === "queue-operation") this.#thread(record).queue(record, line);
    else if (record.subtype === "compact_boundary") this.#thread(record).boundary(boundaryOf(record, line));
    else this.#aside(record, line);
    if (uuid !== undefined) this.#seen.add(uuid);
  }

  end(): void {
    for (const thread of this.#threads.values()) thread.end();
    this.#threads.get("")?.writer.meta({ title: this.#title.text });
  }

  /** The main thread has no key. A sub-agent's key is its id, or the first line of its chain. */
  #key(record: JsonRecord): string {
    if (record.isSidechain !== true) return "";
    const uuid = stringField(record, "uuid") ?? "";
    const known = this.#sideThreads.get(uuid) ?? this.#sideThreads.get(stringField(record, "parentUuid") ?? "");
    const key = stringField(record, "agentId") ?? known ?? uuid;
    if (uuid !== "") this.#sideThreads.set(uuid, key);
    return key;
  }

  /** Folder and branch come from the first record that has them: a queued prompt, which may come first, has neither. */
  #learn(record: JsonRecord): void {
    const key = this.#key(record);
    const thread = this.#threads.get(key);
    const known = this.#known.get(key);
    if (thread === undefined || known === undefined || LATE_FACTS.every((fact) => known[fact] !== undefined)) return;
    const { startedAt: _, ...found } = metaOf(record);
    const late = LATE_FACTS.filter((fact) => known[fact] === undefined && found[fact] !== undefined);
    if (late.length === 0) return;
    const meta = Object.fromEntries(late.map((fact) => [fact, found[fact]]));
    this.#known.set(key, { ...known, ...meta });
    thread.writer.meta(meta);
  }

  #thread(record: JsonRecord): ClaudeCodeThread {
    const key = this.#key(record);
    const found = this.#threads.get(key);
    if (found !== undefined) return found;
    const main = this.#threads.get("")?.writer.id ?? stringField(record, "sessionId") ?? "claude-code";
    const id = key === "" ? main : `${main}/agent-${key}`;
    const meta = key === "" ? metaOf(record) : { ...metaOf(record), parentId: main };
    const onRewind = () => this.#emit({ type: "ignored", kind: "rewind" });
    const thread = new ClaudeCodeThread(new SessionWriter(this.#emit, id, meta), onRewind);
    this.#threads.set(key, thread);
    this.#known.set(key, meta);
    return thread;
  }

  /** Reads lines without a message. */
  #aside(record: JsonRecord, line: number): void {
    const type = stringField(record, "type") ?? "";
    const title = Object.hasOwn(TITLES, type) ? TITLES[type] : undefined;
    const text = title && stringField(record, title.field);
    if (title && text !== undefined && title.rank >= this.#title.rank && this.#isOwn(record)) {
      this.#title = { rank: title.rank, text };
    }
    const subtype = stringField(record, "subtype");
    if (title !== undefined || CLAUDE_CODE_BOOKKEEPING.has(type)) {
      this.#emit({ type: "ignored", kind: subtype === undefined ? type : `${type}/${subtype}` });
    } else {
      this.#skip(line, "unknown", `a record of type ${JSON.stringify(record.type)}`);
    }
  }

  /** A summary names the last line of its conversation. Files also have summaries of other sessions. */
  #isOwn(record: JsonRecord): boolean {
    const leaf = stringField(record, "leafUuid");
    return leaf === undefined || this.#seen.has(leaf);
  }

  #skip(line: number, kind: "broken" | "unknown" | "duplicate", text: string): void {
    this.#emit({ type: "skipped", skipped: { line, kind, text } });
  }
}

function metaOf(record: JsonRecord): SessionMeta {
  return omitUndefined({
    cwd: stringField(record, "cwd"),
    branch: stringField(record, "gitBranch") || undefined,
    version: stringField(record, "version"),
    startedAt: parseTimestamp(record.timestamp),
  });
}

function boundaryOf(record: JsonRecord, line: number) {
  const metadata = recordField(record, "compactMetadata") ?? {};
  return omitUndefined({
    trigger: stringField(metadata, "trigger"),
    createdAt: parseTimestamp(record.timestamp),
    tokensBefore: numberField(metadata, "preTokens"),
    tokensAfter: numberField(metadata, "postTokens"),
    line,
  });
}
