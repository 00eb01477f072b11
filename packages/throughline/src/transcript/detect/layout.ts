import { isRecord } from "../../internal/json.ts";
import { LIST_FIELDS, SESSION_FIELDS } from "../formats/message-list.ts";
import { createDocumentSplitter } from "../read-document.ts";
import { readLine } from "../read-lines.ts";

/** Layout of a transcript: one record per line, or one JSON document. */
export type Layout = "lines" | "document";

/**
 * Detects the layout. One JSON value that fills the text is a document; everything else is lines, even if the first
 * line is incomplete.
 */
export function detectLayout(text: string): Layout {
  if (text.startsWith("[")) return "document";
  if (!text.startsWith("{")) return "lines";
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end).trimStart();
  const records = readLine(first);
  if (records === undefined) return rest === "" || continuesBelow(first, rest) ? "document" : "lines";
  return rest === "" && records.length === 1 && records.every(holdsMessages) ? "document" : "lines";
}

/** True if the value of the first line continues on the next line, i.e. no new record begins there. */
function continuesBelow(first: string, rest: string): boolean {
  let isOneValue = true;
  const splitter = createDocumentSplitter(
    ["$.*"],
    () => undefined,
    () => {
      isOneValue = false;
    },
  );
  splitter.push(`${first}\n${nextOf(rest)}`);
  return isOneValue;
}

/**
 * Text up to the first decisive character: a line that is a record may be the only entry of an array, if the array is
 * closed.
 */
function nextOf(rest: string): string {
  const [second = ""] = rest.split("\n", 1);
  const after = rest.slice(second.length).trimStart();
  return second.startsWith("{") && readLine(second) !== undefined
    ? `${second}\n${after.slice(0, 1) || "{"}`
    : rest.slice(0, 1);
}

function holdsMessages(record: unknown): boolean {
  return isRecord(record) && [...LIST_FIELDS, ...SESSION_FIELDS].some((field) => Array.isArray(record[field]));
}
