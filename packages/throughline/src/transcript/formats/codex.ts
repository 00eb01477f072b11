import { createItemAssembler } from "../../message/convert/openai-responses.ts";
import { completeMessage, type Message, type MessageDraft, type TokenUsage } from "../../message/message.ts";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../../message/read-json.ts";
import { readTime } from "../read-time.ts";
import { SessionWriter } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader, SessionMeta } from "../transcript.ts";

/** Text in the user's place that the agent put there. */
const INJECTED =
  /^\s*(<(environment_context|user_instructions|INSTRUCTIONS|turn_aborted|skill|subagent_notification|user_shell_command|permissions instructions)\b|# AGENTS\.md instructions)/;

const PASSED_OVER: ReadonlySet<string> = new Set(["event_msg", "world_state", "ghost_snapshot"]);

/** Codex rollouts: `response_item` is what was said; `event_msg` repeats it for the screen and brings the usage. */
export function createCodexReader(emit: Emit): RecordReader {
  const assembler = createItemAssembler();
  let writer: SessionWriter | undefined;
  let modelId: string | undefined;
  let usage: TokenUsage | undefined;
  let items = 0;
  const session = () => {
    writer ??= new SessionWriter(emit, "codex");
    return writer;
  };
  const add = (drafts: readonly MessageDraft[]) => {
    for (const draft of drafts) {
      const spent = draft.role === "assistant" ? usage : undefined;
      if (draft.role === "assistant") usage = undefined;
      session().add(omitUndefined({ ...markInjected(draft), usage: spent }));
    }
  };

  const compacted = (payload: JsonRecord, record: JsonRecord, { line }: RecordPlace) => {
    add(assembler.end());
    const history = arrayField(payload, "replacement_history");
    session().compaction(
      omitUndefined({
        createdAt: readTime(record.timestamp),
        summary: stringField(payload, "message") || undefined,
        window: history && readWindow(history, session().id),
        line,
      }),
    );
  };

  return {
    push(record, place) {
      const payload = isRecord(record) ? recordField(record, "payload") : undefined;
      if (!isRecord(record) || payload === undefined) {
        return emit({
          type: "skipped",
          skipped: { line: place.line, kind: "unknown", text: "a record without a payload" },
        });
      }
      const kind = `${String(record.type)}/${String(payload.type)}`;
      switch (record.type) {
        case "session_meta":
          if (writer === undefined)
            writer = new SessionWriter(emit, stringField(payload, "id") ?? "codex", metaOf(payload));
          else emit({ type: "passed-over", kind: "session_meta" });
          return;
        case "turn_context":
          modelId = stringField(payload, "model") ?? modelId;
          return emit({ type: "passed-over", kind: "turn_context" });
        case "response_item": {
          const provenance = { format: "openai-responses", line: place.line } as const;
          const origin = omitUndefined({ createdAt: readTime(record.timestamp), provenance, modelId });
          return add(assembler.push(payload, items++, origin));
        }
        case "compacted":
          return compacted(payload, record, place);
        default:
          if (payload.type === "token_count") usage = readUsage(payload) ?? usage;
          if (PASSED_OVER.has(String(record.type))) return emit({ type: "passed-over", kind });
          emit({ type: "skipped", skipped: { line: place.line, kind: "unknown", text: `a record of type ${kind}` } });
      }
    },
    end() {
      add(assembler.end());
    },
  };
}

function markInjected<D extends MessageDraft>(draft: D): D {
  if (draft.role !== "user") return draft;
  const parts = draft.parts.map((part) =>
    part.type === "text" && INJECTED.test(part.text) ? { ...part, synthetic: true } : part,
  );
  return { ...draft, parts };
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

function readWindow(history: readonly unknown[], sessionId: string): Message[] {
  const assembler = createItemAssembler();
  const drafts = history.filter(isRecord).flatMap((item, index) => assembler.push(item, index));
  return [...drafts, ...assembler.end()].map((draft, index) =>
    completeMessage(markInjected(draft), index, { sessionId }),
  );
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
