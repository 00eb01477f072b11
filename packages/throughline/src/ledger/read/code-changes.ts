import { isRecord } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import { findIdentifiers } from "../find-identifiers.ts";
import {
  keepBounded,
  type Ledger,
  type LedgerChange,
  LIMITS,
  type PendingEffect,
  type PendingTouch,
} from "../ledger.ts";

const OLD_KEY = /^old_?(?:string|str|text)$/i;
const NEW_KEY = /^(?:new_?(?:string|str|text|source)|content|contents|file_?text|insert_?text)$/i;
/** Of a longer text, only the start is read. */
const MAX_TEXT = 20_000;
const MAX_EDITS = 20;
const MIN_LINE = 9;

/**
 * The lines that a call adds to a file, at most `LIMITS.changedLines`: those with the most names, in their order. Empty
 * if the call changes no text.
 *
 * @param fields Arguments of the call.
 * @param patch Text of a patch, if the call has one.
 */
export function readAddedLines(
  fields: Readonly<Record<string, unknown>>,
  patch: string | undefined,
): readonly string[] {
  const added = patch === undefined ? addedBy(fields) : patchLines(patch);
  const lines = [...new Set(added.map((line) => line.trim()).filter(isSpecific))];
  return lines
    .map((text, index) => ({ text: oneLine(text, LIMITS.changedLine), index, names: findIdentifiers(text).size }))
    .filter(({ names }) => names > 0)
    .sort((a, b) => b.names - a.names || a.index - b.index)
    .slice(0, LIMITS.changedLines)
    .sort((a, b) => a.index - b.index)
    .map(({ text }) => text);
}

/** Records the lines that a call added to its file. */
export function noteChange(ledger: Ledger, { lines, at }: PendingEffect, touches: readonly PendingTouch[]): Ledger {
  const file = touches.findLast(({ action }) => action !== "read")?.id;
  if (lines === undefined || file === undefined) return ledger;
  const { changes = [] } = ledger;
  const fresh: LedgerChange = { file, lines, at };
  return { ...ledger, changes: keepBounded([...changes, fresh], LIMITS.changes) };
}

/**
 * A change as a line of a note: the file, and the lines with names that the note does not have yet.
 *
 * @param path Path of the file.
 * @param max Maximum number of its lines.
 * @param detail True if the note has a name.
 * @returns `undefined` if the note has all of its names.
 */
export function changeLine(
  { lines }: LedgerChange,
  path: string,
  max: number,
  says: (name: string) => boolean,
): string | undefined {
  const fresh = lines
    .map((text, index) => ({
      text,
      index,
      names: [...findIdentifiers(text).keys()].filter((name) => !says(name)).length,
    }))
    .filter(({ names }) => names > 0)
    .sort((a, b) => b.names - a.names || a.index - b.index)
    .slice(0, max)
    .sort((a, b) => a.index - b.index);
  return fresh.length === 0 ? undefined : `- ${path}: ${fresh.map(({ text }) => codeSpan(text)).join(" … ")}`;
}

function addedBy(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const edits = Array.isArray(fields.edits) ? fields.edits.filter(isRecord).slice(0, MAX_EDITS) : [fields];
  return edits.flatMap((edit) => {
    const old = new Set(
      textOf(edit, OLD_KEY)
        .split("\n")
        .map((line) => line.trim()),
    );
    return textOf(edit, NEW_KEY)
      .split("\n")
      .filter((line) => !old.has(line.trim()));
  });
}

function textOf(fields: Readonly<Record<string, unknown>>, key: RegExp): string {
  const value = Object.entries(fields).find(([name, one]) => key.test(name) && typeof one === "string")?.[1];
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}

function patchLines(patch: string): readonly string[] {
  return patch
    .slice(0, MAX_TEXT)
    .split("\n")
    .flatMap((line) => (line.startsWith("+") && !line.startsWith("+++") ? [line.slice(1)] : []));
}

function isSpecific(line: string): boolean {
  return line.length >= MIN_LINE && /\p{L}{3}/u.test(line);
}

/** A line of code in backticks, also if it contains some. */
function codeSpan(line: string): string {
  return line.includes("`") ? `\`\` ${line} \`\`` : `\`${line}\``;
}
