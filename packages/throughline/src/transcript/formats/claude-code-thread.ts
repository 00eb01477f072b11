import { type JsonRecord, numberField, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import { readAnthropicMessage } from "../../message/convert/anthropic.ts";
import type { ToolNames } from "../../message/convert/conversion.ts";
import type { MessageDraft, TokenUsage } from "../../message/message.ts";
import type { PartDraft } from "../../message/part.ts";
import type { SessionWriter } from "../session-writer.ts";
import type { TranscriptCompaction } from "../transcript.ts";
import { openingTag, splitWrapped } from "./split-wrapped.ts";

type Boundary = Omit<TranscriptCompaction, "at">;

/** A message and the folder of its line. */
interface DraftMessage {
  readonly draft: MessageDraft;
  readonly folders: readonly string[];
}

/** An assistant reply that is still receiving blocks and results. */
interface OpenReply {
  readonly id: string;
  readonly draft: MessageDraft;
  readonly parts: PartDraft[];
  readonly results: PartDraft[];
  /** User messages that arrived while calls of the reply had no result. */
  readonly after: DraftMessage[];
  /** Folders of its lines, and of those with results. */
  readonly folders: Set<string>;
  /** Calls without a result, and calls with one. */
  readonly open: Set<string>;
  readonly answered: Set<string>;
  usage: TokenUsage | undefined;
}

/**
 * Text that the agent inserted into a user message, up to its end. A command of the client begins with its name; one
 * that the user typed as a prompt, such as a skill with arguments, begins with `<command-message>`.
 */
const INJECTED =
  /^\s*(<(command-name)\b|<([\w-]+-(?:notification|hook))>[\s\S]*<\/\3>\s*$|\[Request interrupted by user|Operation stopped by hook: |Caveat: The messages below)/;

/** Blocks that the agent adds to the user's text. */
const WRAPPER = openingTag(
  "system-reminder",
  "task-notification",
  "teammate-message",
  "local-command-(?:stdout|stderr|caveat)",
  "bash-(?:input|stdout|stderr)",
  "ide_\\w+",
);

/** The main conversation of a session, or the conversation of one sub-agent. */
export class ClaudeCodeThread {
  readonly writer: SessionWriter;
  readonly #names: ToolNames = new Map();
  readonly #queue: string[] = [];
  /** Uuids of lines that a user prompt followed. */
  readonly #prompted = new Set<string>();
  readonly #onRewind: () => void;
  #reply: OpenReply | undefined;
  #boundary: Boundary | undefined;

  /** @param onRewind Called when the user went back and continued differently; the earlier messages stay. */
  constructor(writer: SessionWriter, onRewind: () => void) {
    this.writer = writer;
    this.#onRewind = onRewind;
  }

  take(record: JsonRecord, line: number): void {
    const raw = recordField(record, "message") ?? {};
    const origin = originOf(record, line);
    if (record.isCompactSummary === true) this.#summary(record, raw, origin);
    else if (record.type === "assistant") this.#assistant(record, raw, origin);
    else this.#user(record, raw, origin);
  }

  /** Prompts typed while the agent worked. A prompt removed mid-turn reached the model; a withdrawn prompt did not. */
  queue(record: JsonRecord, line: number): void {
    const content = stringField(record, "content");
    switch (record.operation) {
      case "enqueue":
        if (content !== undefined) this.#queue.push(content);
        break;
      case "dequeue":
        // The same text follows as a user line.
        this.#queue.shift();
        break;
      case "remove": {
        const text = this.#queue.shift();
        if (text !== undefined)
          this.#say({
            draft: { ...originOf(record, line), role: "user", parts: markInjected({ type: "text", text }, false) },
            folders: foldersOf(record),
          });
        break;
      }
      default:
        this.#queue.length = 0;
    }
  }

  boundary(boundary: Boundary): void {
    this.#flush();
    this.#compacted();
    this.#boundary = boundary;
  }

  end(): void {
    this.#flush();
    this.#compacted();
  }

  #summary(record: JsonRecord, raw: JsonRecord, origin: Omit<MessageDraft, "role" | "parts">): void {
    this.#flush();
    const [draft] = readAnthropicMessage(raw, 0, this.#names);
    const summary = draft?.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const parts = (draft?.parts ?? []).map((part) => (part.type === "text" ? { ...part, synthetic: true } : part));
    const found = omitUndefined({ ...this.#boundary, summary, summaryMessageId: origin.id });
    this.#boundary = undefined;
    this.writer.compaction(found);
    this.writer.add({ ...origin, role: "user", isSummary: true, parts }, foldersOf(record));
  }

  /** A compaction boundary without a summary. */
  #compacted(): void {
    if (this.#boundary === undefined) return;
    this.writer.compaction(this.#boundary);
    this.#boundary = undefined;
  }

  /** Lines with the same message id are blocks of one reply, even if results come between them. */
  #assistant(record: JsonRecord, raw: JsonRecord, origin: Omit<MessageDraft, "role" | "parts">): void {
    const drafts = readAnthropicMessage({ role: "assistant", content: raw.content }, 0, this.#names);
    const id = stringField(raw, "id") ?? stringField(record, "uuid") ?? "";
    const synthetic = raw.model === "<synthetic>";
    const parts = drafts.flatMap((draft) => draft.parts);
    let reply = this.#reply;
    if (reply === undefined || reply.id !== id || id === "") {
      this.#flush();
      const draft = { ...origin, ...replyOf(record, raw, parts), role: "assistant" as const, parts };
      const [open, answered, folders] = [new Set<string>(), new Set<string>(), new Set<string>()];
      reply = { id, draft, parts: [], results: [], after: [], folders, open, answered, usage: undefined };
      this.#reply = reply;
    }
    for (const folder of foldersOf(record)) reply.folders.add(folder);
    for (const part of parts) addPart(reply, synthetic && part.type === "text" ? { ...part, synthetic } : part);
    // Each line repeats the usage so far; the last one is complete.
    reply.usage = readUsage(raw) ?? reply.usage;
  }

  #user(record: JsonRecord, raw: JsonRecord, origin: Omit<MessageDraft, "role" | "parts">): void {
    for (const draft of readAnthropicMessage({ role: "user", content: raw.content }, 0, this.#names)) {
      const parts = draft.parts.flatMap((part) => markInjected(part, record.isMeta === true));
      if (draft.role === "user" && record.isMeta !== true) this.#prompt(origin.parentId);
      if (draft.role === "tool" && this.#reply !== undefined) addResults(this.#reply, parts, foldersOf(record));
      else this.#say({ draft: { ...draft, ...origin, parts }, folders: foldersOf(record) });
    }
  }

  /** Two prompts after the same line: the user withdrew the first. Both are kept, with the messages after the first. */
  #prompt(parentId: string | undefined): void {
    if (parentId === undefined) return;
    if (this.#prompted.has(parentId)) this.#onRewind();
    this.#prompted.add(parentId);
  }

  #say(said: DraftMessage): void {
    if (this.#reply !== undefined && this.#reply.open.size > 0) {
      this.#reply.after.push(said);
      return;
    }
    this.#flush();
    this.#compacted();
    this.writer.add(said.draft, said.folders);
  }

  #flush(): void {
    const reply = this.#reply;
    if (reply === undefined) return;
    this.#reply = undefined;
    this.#compacted();
    const { draft, parts, results, usage } = reply;
    const folders = [...reply.folders];
    const message = this.writer.add(omitUndefined({ ...draft, parts, usage }), folders);
    if (results.length > 0) {
      const { createdAt, provenance } = message;
      this.writer.add(
        omitUndefined({ role: "tool", id: `${message.id}/results`, createdAt, provenance, parts: results }),
        folders,
      );
    }
    for (const said of reply.after) this.writer.add(said.draft, said.folders);
  }
}

function addPart(reply: OpenReply, part: PartDraft): void {
  reply.parts.push(part);
  const isCall = part.type === "tool-call" && part.providerExecuted !== true;
  if (isCall && !reply.answered.has(part.toolCallId)) reply.open.add(part.toolCallId);
}

function addResults(reply: OpenReply, parts: readonly PartDraft[], folders: readonly string[]): void {
  for (const part of parts) addResult(reply, part);
  for (const folder of folders) reply.folders.add(folder);
}

function addResult(reply: OpenReply, part: PartDraft): void {
  reply.results.push(part);
  if (part.type !== "tool-result") return;
  reply.answered.add(part.toolCallId);
  reply.open.delete(part.toolCallId);
}

function markInjected(part: PartDraft, isMeta: boolean): PartDraft[] {
  if (part.type === "text" && (isMeta || INJECTED.test(part.text))) return [{ ...part, synthetic: true }];
  return splitWrapped(part, WRAPPER);
}

function foldersOf(record: JsonRecord): readonly string[] {
  const folder = stringField(record, "cwd");
  return folder === undefined ? [] : [folder];
}

function originOf(record: JsonRecord, line: number): Omit<MessageDraft, "role" | "parts"> {
  const id = stringField(record, "uuid");
  return omitUndefined({
    id,
    parentId: stringField(record, "parentUuid"),
    createdAt: parseTimestamp(record.timestamp),
    provenance: omitUndefined({ format: "anthropic", id, line } as const),
  });
}

function replyOf(record: JsonRecord, raw: JsonRecord, parts: readonly PartDraft[]) {
  const failed = record.isApiErrorMessage === true;
  const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return omitUndefined({
    modelId: stringField(raw, "model"),
    finishReason: stringField(raw, "stop_reason"),
    error: failed ? { name: "ApiError", message: said } : undefined,
  });
}

function readUsage(raw: JsonRecord): TokenUsage | undefined {
  const usage = recordField(raw, "usage");
  if (usage === undefined) return undefined;
  return {
    input: numberField(usage, "input_tokens") ?? 0,
    output: numberField(usage, "output_tokens") ?? 0,
    cache: {
      read: numberField(usage, "cache_read_input_tokens") ?? 0,
      write: numberField(usage, "cache_creation_input_tokens") ?? 0,
    },
  };
}
