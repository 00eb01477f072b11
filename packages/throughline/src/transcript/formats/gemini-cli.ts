import { InvalidMessageError } from "../../errors/input-errors.ts";
import { isRecord, type JsonRecord, omitUndefined, recordField, stringField } from "../../internal/json.ts";
import { parseTimestamp } from "../../internal/time.ts";
import { SessionWriter, skipBroken } from "../session-writer.ts";
import type { Emit, RecordPlace, RecordReader } from "../transcript.ts";
import { folderIn, GeminiMessages, isStateSnapshot, signatureOf } from "./gemini-cli-messages.ts";

/** Types of messages that were only shown to the user. */
const SHOWN: readonly unknown[] = ["info", "warning", "error"];

/** Metadata fields of a session. */
const FACTS = ["sessionId", "startTime", "summary"];

interface Found {
  readonly record: JsonRecord;
  readonly line: number;
}

/**
 * Gemini CLI: one document, or lines in which a message replaces an earlier one with the same id, `$set` patches the
 * session and `$rewindTo` removes messages. Later lines may change earlier messages, so messages are emitted at the
 * end.
 */
export class GeminiReader implements RecordReader {
  readonly #emit: Emit;
  readonly #facts: Record<string, unknown> = {};
  readonly #messages = new Map<string, Found>();
  /** Records that a compaction removed from the list. */
  readonly #compacted: Found[] = [];
  /** Ids under which a compaction repeats earlier records. */
  readonly #copies = new Set<string>();
  /** Message ids in order, so that a rewind can remove them from the end. */
  #order: string[] = [];

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(record: unknown, { line, path }: RecordPlace): void {
    const [field] = path;
    if (path.length === 1 && typeof field === "string") {
      this.#learn({ [field]: record });
      return;
    }
    if (!isRecord(record)) throw new InvalidMessageError({ message: this.#messages.size }, "expected an object");
    const rewind = stringField(record, "$rewindTo");
    const patch = recordField(record, "$set");
    if (field === "messages") this.#message(record, line);
    else if (rewind !== undefined) this.#rewindTo(rewind);
    else if (patch !== undefined) this.#session(patch, line);
    else if ("sessionId" in record) this.#session(record, line);
    else this.#message(record, line);
  }

  end(): void {
    const id = stringField(this.#facts, "sessionId");
    const found = [...this.#compacted, ...this.#originals()];
    if (id === undefined && found.length === 0) return;
    const startedAt = parseTimestamp(this.#facts.startTime);
    const title = stringField(this.#facts, "summary");
    const cwd = found.map(({ record }) => folderIn(record)).find((folder) => folder !== undefined);
    const writer = new SessionWriter(this.#emit, id ?? "gemini-cli", omitUndefined({ title, cwd, startedAt }));
    const messages = new GeminiMessages();
    for (const one of found) skipBroken(this.#emit, one.line, () => this.#write(one, messages, writer));
  }

  #write({ record, line }: Found, messages: GeminiMessages, writer: SessionWriter): void {
    const drafts = messages.read(record, line);
    if (drafts.length === 0) {
      const kind = SHOWN.includes(record.type) ? String(record.type) : "repeated-result";
      this.#emit({ type: "ignored", kind: `message/${kind}` });
    }
    for (const draft of drafts) {
      if (draft.isSummary === true) {
        const summary = draft.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
        const { id: summaryMessageId, createdAt } = draft;
        writer.compaction(omitUndefined({ createdAt, summary, summaryMessageId, line }));
      }
      writer.add(draft);
    }
  }

  #message(record: unknown, line: number): void {
    const type = isRecord(record) ? stringField(record, "type") : undefined;
    if (!isRecord(record) || type === undefined) {
      throw new InvalidMessageError({ message: this.#messages.size }, "message without a type");
    }
    if (type !== "user" && type !== "gemini" && !SHOWN.includes(type)) {
      const text = `a message of type ${JSON.stringify(type)}`;
      this.#emit({ type: "skipped", skipped: { line, kind: "unknown", text } });
      return;
    }
    const id = stringField(record, "id") ?? `line-${line}-${this.#messages.size}`;
    if (!this.#messages.has(id)) this.#order.push(id);
    this.#messages.set(id, { record, line });
  }

  #session(fields: JsonRecord, line: number): void {
    const { messages } = fields;
    this.#learn(fields);
    if (!Array.isArray(messages)) return;
    this.#rewrite(messages);
    for (const message of messages) skipBroken(this.#emit, line, () => this.#message(message, line));
  }

  /**
   * A list with a new summary is a compaction. The removed records are kept, because they were part of the
   * conversation.
   */
  #rewrite(messages: readonly unknown[]): void {
    const isCompaction = messages.some(
      (one) => isRecord(one) && isStateSnapshot(one) && !this.#messages.has(String(one.id)),
    );
    if (isCompaction) {
      const before = new Set([...this.#messages.values()].map(({ record }) => signatureOf(record)));
      for (const found of this.#originals()) this.#compacted.push(found);
      for (const one of messages) {
        const id = isRecord(one) && before.has(signatureOf(one)) ? stringField(one, "id") : undefined;
        if (id !== undefined) this.#copies.add(id);
      }
    }
    this.#messages.clear();
    this.#order = [];
  }

  #originals(): Found[] {
    return [...this.#messages].filter(([id]) => !this.#copies.has(id)).map(([, found]) => found);
  }

  #learn(fields: JsonRecord): void {
    for (const name of FACTS) if (name in fields) this.#facts[name] = fields[name];
  }

  #rewindTo(id: string): void {
    this.#emit({ type: "ignored", kind: "rewind" });
    while (this.#messages.has(id)) this.#messages.delete(this.#order.pop() ?? id);
  }
}
