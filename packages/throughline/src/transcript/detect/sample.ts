import { isRecord, type JsonRecord } from "../../internal/json.ts";
import { LIST_FIELDS, messagesIn } from "../formats/message-list.ts";
import { createDocumentSplitter } from "../read-document.ts";
import { readLine } from "../read-lines.ts";
import type { RecordPlace } from "../transcript.ts";

const MAX_MESSAGES = 50;
const PIECE = 64 * 1024;

/** Readable beginning of a transcript. */
export interface Sample {
  /** Lines, or entries of an array. */
  readonly records: readonly JsonRecord[];
  /** Top-level fields of a document, or of sessions with one line each. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly messages: readonly JsonRecord[];
  /** True if the text ends inside a value. */
  readonly isCutOff: boolean;
}

export function sampleLines(text: string): Sample {
  const read = text.split("\n").filter((line) => line.trimStart().startsWith("{"));
  const records = read.flatMap((line) => readLine(line) ?? []).filter(isRecord);
  const sessions = records.filter((record) => messagesIn(record) !== undefined);
  const messages = records.flatMap((record) => messagesIn(record)?.filter(isRecord) ?? [record]);
  return {
    records,
    fields: new Map(sessions.flatMap((session) => Object.entries(session))),
    messages: messages.slice(0, MAX_MESSAGES),
    isCutOff: records.length === 0 && text.startsWith("{"),
  };
}

/** Depth of `simulations[0].messages[0]`: the first session may be longer than the text. */
const DEPTHS = ["$.*", "$.*.*", "$.*.*.*", "$.*.*.*.*"];

export function sampleDocument(text: string): Sample {
  const records: JsonRecord[] = [];
  const fields = new Map<string, unknown>();
  const messages: JsonRecord[] = [];
  let isCutOff = false;
  const take = (value: unknown, { path }: RecordPlace) => {
    const field = path.at(-2);
    const isEntry = typeof path.at(-1) === "number";
    if (path.length === 1 && !isEntry) fields.set(String(path[0]), value);
    if (!isEntry || !isRecord(value)) return;
    if (path.length === 1) records.push(value);
    const isListed = path.length === 1 || LIST_FIELDS.includes(String(field));
    if (isListed && messagesIn(value) === undefined) messages.push(value);
  };
  const splitter = createDocumentSplitter(DEPTHS, take, () => {
    isCutOff = true;
  });
  for (let at = 0; at < text.length && messages.length < MAX_MESSAGES; at += PIECE) {
    splitter.push(text.slice(at, at + PIECE));
  }
  splitter.end();
  return { records, fields, messages: messages.slice(0, MAX_MESSAGES), isCutOff };
}
