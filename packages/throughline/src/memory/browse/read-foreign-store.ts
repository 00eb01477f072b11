import { InvalidOptionError } from "../../errors/input-errors.ts";
import { findSecrets } from "../../internal/find-secrets.ts";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  omitUndefined,
  stringField,
  tryParseJson,
} from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import type { Memory } from "../../ports/memory.ts";
import { draftMemory } from "../remember/draft-memory.ts";
import { EXPORT_FORMAT, readExport } from "../transfer/memory-export.ts";
import { readPasteLines } from "../transfer/read-paste-lines.ts";

/** Format of memories that another program stores. */
export type ForeignFormat = "throughline" | "mem0" | "mcp-memory" | "markdown";

/** Memories of another program. Nothing is imported. */
export interface ForeignStore {
  readonly format: ForeignFormat;
  /** Ids are those of the store, or line numbers: `line 12`. */
  readonly memories: readonly Memory[];
  /** True if the store counts how often a memory was used. */
  readonly hasUsage: boolean;
}

const MAX_CHARACTERS = 50_000_000;
const MAX_TEXT_LENGTH = 20_000;
const MAX_SUBJECT_LENGTH = 200;

/**
 * Reads memories that another program stores: an export of mem0, the `memory.json` of the MCP memory server, a
 * `MEMORY.md` or `CLAUDE.md`, or an export of Throughline. The format is detected.
 *
 * @param text Content of the file, or pasted text.
 * @param now Time of memories without a date, in milliseconds since 1970.
 * @throws InvalidOptionError if the text is empty or too long, or JSON of an unknown format.
 *
 * @example
 * readForeignStore("- Use tabs", Date.now()).memories[0]?.levels.full; // "Use tabs"
 */
export function readForeignStore(text: string, now: number): ForeignStore {
  if (text.trim() === "" || text.length > MAX_CHARACTERS) {
    throw new InvalidOptionError("data", `${text.length} characters`, `a text of 1 to ${MAX_CHARACTERS} characters`);
  }
  const records = readJson(text);
  if (records === undefined) return { format: "markdown", memories: readMarkdown(text, now), hasUsage: false };
  const [first] = records;
  if (records.length === 1 && isRecord(first) && first.format === EXPORT_FORMAT) {
    return { format: "throughline", memories: readExport(first).memories, hasUsage: true };
  }
  const entities = findEntities(records);
  if (entities !== undefined) return { format: "mcp-memory", memories: readEntities(entities, now), hasUsage: false };
  const found = findMem0(records);
  if (found !== undefined) return { format: "mem0", memories: readMem0(found, now), hasUsage: false };
  throw new InvalidOptionError(
    "data",
    "JSON",
    "an export of mem0 or Throughline, or the memory file of the MCP server",
  );
}

/** The values of a JSON text, or of its lines; undefined if it is not JSON. */
function readJson(text: string): readonly unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const whole = tryParseJson(text);
  if (whole !== undefined) return Array.isArray(whole.value) ? whole.value : [whole.value];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = lines.map(tryParseJson);
  return read.every((one) => one !== undefined) ? read.map(({ value }) => value) : undefined;
}

interface Found {
  readonly text: string;
  readonly id: string;
  readonly subject?: string | undefined;
  readonly at?: number | undefined;
}

function toMemory({ text, id, subject, at }: Found, now: number): readonly Memory[] {
  const clean = stripInvisible(text).trim().slice(0, MAX_TEXT_LENGTH);
  if (clean === "") return [];
  const time = at === undefined || Number.isNaN(at) ? now : Math.min(at, now);
  const about = subject?.trim().slice(0, MAX_SUBJECT_LENGTH) || undefined;
  const input = omitUndefined({ text: clean, subject: about, source: { at: time }, keepSecrets: true });
  const memory = draftMemory(input, { userId: "foreign", projectId: undefined }, now);
  return [{ ...memory, id, createdAt: time }];
}

/** Entities of the MCP memory server: one JSON value with all of them, or one per line. */
function findEntities(records: readonly unknown[]): readonly JsonRecord[] | undefined {
  const listed = records.length === 1 && isRecord(records[0]) ? arrayField(records[0], "entities") : undefined;
  if (listed !== undefined) return listed.filter(isRecord);
  const isOfGraph = (one: unknown) => isRecord(one) && (one.type === "entity" || one.type === "relation");
  return records.length > 0 && records.every(isOfGraph)
    ? records.filter(isRecord).filter(({ type }) => type === "entity")
    : undefined;
}

function readEntities(entities: readonly JsonRecord[], now: number): readonly Memory[] {
  return entities.flatMap((entity) => {
    const name = stringField(entity, "name") ?? "";
    const observations = arrayField(entity, "observations") ?? [];
    return observations.flatMap((text, at) =>
      typeof text === "string" ? toMemory({ text, subject: name, id: `${name} ${at + 1}` }, now) : [],
    );
  });
}

function findMem0(records: readonly unknown[]): readonly JsonRecord[] | undefined {
  const [first] = records;
  const listed =
    records.length === 1 && isRecord(first)
      ? (arrayField(first, "results") ?? arrayField(first, "memories") ?? records)
      : records;
  const found = listed.filter(isRecord);
  return found.some((one) => textOf(one) !== undefined) || listed.length === 0 ? found : undefined;
}

function readMem0(records: readonly JsonRecord[], now: number): readonly Memory[] {
  return records.flatMap((record, index) => {
    const text = textOf(record);
    const at = Date.parse(stringField(record, "created_at") ?? stringField(record, "createdAt") ?? "");
    const subject = stringField(record, "user_id") ?? stringField(record, "agent_id");
    return text === undefined
      ? []
      : toMemory({ text, at, subject, id: stringField(record, "id") ?? `${index + 1}` }, now);
  });
}

function textOf(record: JsonRecord): string | undefined {
  return stringField(record, "memory") ?? stringField(record, "data") ?? stringField(record, "text");
}

const FENCE = /^\s*(?:```|~~~)/;

/** List items and sentences of a Markdown file. Lines of code are read only if they contain a secret. */
function readMarkdown(text: string, now: number): readonly Memory[] {
  let isCode = false;
  const secrets: Found[] = [];
  const prose = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line, index) => {
      const isFence = FENCE.test(line);
      if (isFence) isCode = !isCode;
      if (!isCode && !isFence) return line;
      if (!isFence && findSecrets(line).length > 0)
        secrets.push({ text: line, id: `line ${index + 1}`, subject: "code" });
      return "";
    });
  const { entries } = readPasteLines(prose.join("\n"));
  const counts = new Map<number, number>();
  const found = entries.map(({ text: said, line, at }): Found => {
    const count = (counts.get(line) ?? 0) + 1;
    counts.set(line, count);
    return { text: said, at, id: count === 1 ? `line ${line}` : `line ${line}, sentence ${count}` };
  });
  return [...found, ...secrets].flatMap((one) => toMemory(one, now));
}
