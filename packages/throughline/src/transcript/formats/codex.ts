import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../internal/json.ts";
import { createItemAssembler } from "../../message/convert/openai-responses.ts";
import { completeMessage, type Message, type MessageDraft, type TokenUsage } from "../../message/message.ts";
import { readTime } from "../read-time.ts";
import { SessionWriter } from "../session-writer.ts";
import { skipBroken } from "../skip-broken.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";
import { HeldReply } from "./codex-held-reply.ts";

/** Text in the user's place that the agent put there. */
const INJECTED =
  /^\s*(<(environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill|subagent_notification|user_shell_command|permissions instructions)\b|# AGENTS\.md instructions)/;

/** Records that hold no message. The names are those that version 0.166 knows. */
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

/** Codex rollouts: `response_item` is what was said; `event_msg` repeats it for the screen and brings the usage. */
export class CodexReader implements RecordReader {
  readonly #emit: Emit;
  readonly #assembler = createItemAssembler();
  readonly #held = new HeldReply((draft) => this.#session().add(draft));
  #writer: SessionWriter | undefined;
  #modelId: string | undefined;
  #items = 0;
  /** Whether what the assembler has open is a reply. */
  #isReplyOpen = false;
  /** Of the reply that is open. */
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

  /** A session that was resumed repeats its facts. */
  #begin(payload: JsonRecord): void {
    if (this.#writer !== undefined) this.#passOver("session_meta");
    this.#writer ??= new SessionWriter(this.#emit, stringField(payload, "id") ?? "codex", metaOf(payload));
  }

  #context(payload: JsonRecord): void {
    this.#modelId = stringField(payload, "model") ?? this.#modelId;
    this.#passOver("turn_context");
  }

  #item(record: JsonRecord, payload: JsonRecord, line: number): void {
    if (payload.type === "ghost_snapshot") {
      this.#passOver("response_item/ghost_snapshot");
      return;
    }
    const provenance = { format: "openai-responses", line } as const;
    const origin = omitUndefined({ createdAt: readTime(record.timestamp), provenance, modelId: this.#modelId });
    this.#add(this.#assembler.push(payload, this.#items, origin));
    this.#items += 1;
    this.#isReplyOpen = isReply(payload);
  }

  #compacted(record: JsonRecord, payload: JsonRecord, line: number): void {
    this.#flush();
    const history = arrayField(payload, "replacement_history");
    this.#session().compaction(
      omitUndefined({
        createdAt: readTime(record.timestamp),
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
    else if (usage !== undefined) this.#held.spend(usage);
    if (PASSED_OVER.has(String(record.type))) this.#passOver(kind);
    else this.#skip(line, `a record of type ${kind}`);
  }

  #flush(): void {
    this.#add(this.#assembler.end());
    this.#isReplyOpen = false;
    this.#held.release();
  }

  #add(drafts: readonly MessageDraft[]): void {
    for (const draft of drafts) {
      const usage = draft.role === "assistant" ? this.#usage : undefined;
      if (draft.role === "assistant") this.#usage = undefined;
      this.#held.add(omitUndefined({ ...markInjected(draft), usage }));
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
    this.#emit({ type: "passed-over", kind });
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

/** Who wrote each piece of a message, in versions that say so: `user`, `harness`, `skills`… */
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
    startedAt: readTime(payload.timestamp),
  });
}

/** The input counts what was cached too; right after a compaction it is 0, which says nothing. */
function readUsage(payload: JsonRecord): TokenUsage | undefined {
  const info = recordField(payload, "info");
  const last = info && recordField(info, "last_token_usage");
  const input = last && numberField(last, "input_tokens");
  if (last === undefined || input === undefined || input === 0) return undefined;
  const read = numberField(last, "cached_input_tokens") ?? 0;
  return { input: input - read, output: numberField(last, "output_tokens") ?? 0, cache: { read, write: 0 } };
}
