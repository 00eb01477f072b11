import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import { createItemAssembler } from "../../message/convert/openai/openai-responses.ts";
import { completeMessage, type Message, type MessageDraft, type TokenUsage } from "../../message/message.ts";
import { SessionWriter, skipBroken } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";

/** Text that the agent inserted into user messages. */
const INJECTED =
  /^\s*(<(environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill|subagent_notification|user_shell_command|permissions instructions)\b|# AGENTS\.md instructions)/;

/** Records without messages, as of version 0.166. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  "dynamic_tools_updated",
  "event_msg",
  "inter_agent_communication",
  "inter_agent_communication_metadata",
  "realtime_item",
  "security_risk_score",
  "token_usage_record",
  "world_state",
]);

/** Codex rollouts: `response_item` holds the messages; `event_msg` repeats them for display and adds the usage. */
export class CodexReader implements RecordReader {
  readonly #emit: Emit;
  readonly #assembler = createItemAssembler();
  readonly #pendingReply = new HeldReply((draft) => this.#session().add(draft, this.#folders));
  #writer: SessionWriter | undefined;
  #modelId: string | undefined;
  /** Folder of the turn, if it is recorded. */
  #folders: readonly string[] = [];
  #items = 0;
  /** True if the assembler has an open reply. */
  #isReplyOpen = false;
  /** Usage of the open reply. */
  #usage: TokenUsage | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line }: RecordPlace): void {
    const payload = isRecord(record) ? recordField(record, "payload") : undefined;
    if (!isRecord(record) || payload === undefined) this.#skip(line, "a record without a payload");
    else if (record.type === "session_meta") this.#begin(payload);
    else if (record.type === "turn_context") this.#context(payload);
    else if (record.type === "response_item") this.#item(record, payload, line);
    else if (record.type === "compacted") this.#compacted(record, payload, line);
    else this.#event(record, payload, line);
  }

  end(): void {
    this.#flush();
  }

  #session(): SessionWriter {
    this.#writer ??= new SessionWriter(this.#emit, "codex");
    return this.#writer;
  }

  /** A resumed session repeats its metadata. */
  #begin(payload: JsonRecord): void {
    if (this.#writer !== undefined) this.#passOver("session_meta");
    this.#writer ??= new SessionWriter(this.#emit, stringField(payload, "id") ?? "codex", metaOf(payload));
  }

  #context(payload: JsonRecord): void {
    const folder = stringField(payload, "cwd");
    if (folder !== undefined && folder !== this.#folders[0]) {
      // Messages so far belong to the folder before.
      this.#flush();
      this.#folders = [folder];
    }
    this.#modelId = stringField(payload, "model") ?? this.#modelId;
    this.#passOver("turn_context");
  }

  #item(record: JsonRecord, payload: JsonRecord, line: number): void {
    if (payload.type === "ghost_snapshot") {
      this.#passOver("response_item/ghost_snapshot");
      return;
    }
    const provenance = { format: "openai-responses", line } as const;
    const origin = omitUndefined({ createdAt: parseTimestamp(record.timestamp), provenance, modelId: this.#modelId });
    this.#add(this.#assembler.push(payload, this.#items, origin));
    this.#items += 1;
    this.#isReplyOpen = isReply(payload);
  }

  #compacted(record: JsonRecord, payload: JsonRecord, line: number): void {
    this.#flush();
    const history = arrayField(payload, "replacement_history");
    this.#session().compaction(
      omitUndefined({
        createdAt: parseTimestamp(record.timestamp),
        summary: stringField(payload, "message") || undefined,
        window: history && this.#readWindow(history, line),
        line,
      }),
    );
  }

  #event(record: JsonRecord, payload: JsonRecord, line: number): void {
    const kind = [record.type, payload.type].filter((name) => typeof name === "string").join("/");
    const usage = payload.type === "token_count" ? readUsage(payload) : undefined;
    if (usage !== undefined && this.#isReplyOpen) this.#usage = usage;
    else if (usage !== undefined) this.#pendingReply.spend(usage);
    if (PASSED_OVER.has(String(record.type))) this.#passOver(kind);
    else this.#skip(line, `a record of type ${kind}`);
  }

  #flush(): void {
    this.#add(this.#assembler.end());
    this.#isReplyOpen = false;
    this.#pendingReply.release();
  }

  #add(drafts: readonly MessageDraft[]): void {
    for (const draft of drafts) {
      const usage = draft.role === "assistant" ? this.#usage : undefined;
      if (draft.role === "assistant") this.#usage = undefined;
      this.#pendingReply.add(omitUndefined({ ...markInjected(draft), usage }));
    }
  }

  #readWindow(history: readonly unknown[], line: number): Message[] {
    const assembler = createItemAssembler();
    const drafts: MessageDraft[] = [];
    history.forEach((item, index) => {
      skipBroken(this.#emit, line, () => {
        for (const draft of assembler.push(item, index)) drafts.push(draft);
      });
    });
    const { id: sessionId } = this.#session();
    return [...drafts, ...assembler.end()].map((draft, index) =>
      completeMessage(markInjected(draft), index, { sessionId }),
    );
  }

  #passOver(kind: string): void {
    this.#emit({ type: "ignored", kind });
  }

  #skip(line: number, text: string): void {
    this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
  }
}

function isReply({ type, role }: JsonRecord): boolean {
  return type === "message" ? role === "assistant" : !String(type).endsWith("_output");
}

function markInjected<D extends MessageDraft>(draft: D): D {
  if (draft.role !== "user") return draft;
  const origins = originsOf(draft);
  const parts = draft.parts.map((part, index) => {
    const isInjected = part.type === "text" && ((origins[index] ?? "user") !== "user" || INJECTED.test(part.text));
    return isInjected ? { ...part, synthetic: true } : part;
  });
  return { ...draft, parts };
}

/** Author of each part of a message, in versions that record it: `user`, `harness`, `skills`… */
function originsOf({ parts: [first] }: MessageDraft): (string | undefined)[] {
  const item = recordField(first?.foreign?.fields ?? {}, "item") ?? {};
  const notes = recordField(item, "internal_chat_message_metadata_passthrough") ?? {};
  return (arrayField(notes, "content_item_metadata") ?? []).map((note) => {
    const provenance = isRecord(note) ? recordField(note, "provenance") : undefined;
    return provenance && stringField(provenance, "type");
  });
}

function metaOf(payload: JsonRecord): SessionMeta {
  const git = recordField(payload, "git");
  return omitUndefined({
    cwd: stringField(payload, "cwd"),
    branch: git && stringField(git, "branch"),
    version: stringField(payload, "cli_version"),
    startedAt: parseTimestamp(payload.timestamp),
  });
}

/** Input tokens include cached ones. Directly after a compaction the input is 0, which is ignored. */
function readUsage(payload: JsonRecord): TokenUsage | undefined {
  const info = recordField(payload, "info");
  const last = info && recordField(info, "last_token_usage");
  const input = last && numberField(last, "input_tokens");
  if (last === undefined || input === undefined || input === 0) return undefined;
  const read = numberField(last, "cached_input_tokens") ?? 0;
  return { input: input - read, output: numberField(last, "output_tokens") ?? 0, cache: { read, write: 0 } };
}

/** Maximum messages between a reply and its usage; real rollouts have one. */
const MAX_AFTER = 16;

/** Delays the last reply until its usage is known: Codex writes the usage after the results of the reply's calls. */
class HeldReply {
  readonly #write: (draft: MessageDraft) => void;
  #reply: MessageDraft | undefined;
  #after: MessageDraft[] = [];

  constructor(write: (draft: MessageDraft) => void) {
    this.#write = write;
  }

  add(draft: MessageDraft): void {
    if (draft.role === "assistant") this.release();
    if (draft.role === "assistant" && draft.usage === undefined) this.#reply = draft;
    else if (this.#reply === undefined) this.#write(draft);
    else this.#after.push(draft);
    if (this.#after.length > MAX_AFTER) this.release();
  }

  /** Repeated usage, and usage without a reply, is ignored. */
  spend(usage: TokenUsage): void {
    if (this.#reply !== undefined) this.#reply = { ...this.#reply, usage };
    this.release();
  }

  release(): void {
    if (this.#reply !== undefined) this.#write(this.#reply);
    for (const draft of this.#after) this.#write(draft);
    this.#reply = undefined;
    this.#after = [];
  }
}
