import { isRecord } from "../../internal/json.ts";
import { LIST_FIELDS, SESSION_FIELDS } from "../formats/list-fields.ts";
import { createDocumentSplitter } from "../read-document.ts";
import { readLine } from "../read-lines.ts";

/** Whether a transcript is a line per record or one JSON document. */
export type Layout = "lines" | "document";

/** A document is one value that fills the text; all else is lines, also where the first of them is cut off. */
export function tellLayout(text: string): Layout {
  if (text.startsWith("[")) return "document";
  if (!text.startsWith("{")) return "lines";
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end).trimStart();
  const records = readLine(first);
  if (records === undefined) return rest === "" || goesOn(first, rest) ? "document" : "lines";
  return rest === "" && records.length === 1 && records.every(holdsMessages) ? "document" : "lines";
}

/** Whether the value that the first line begins goes on in the next, rather than that a record begins there. */
function goesOn(first: string, rest: string): boolean {
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

/** Up to the first character that tells: a line that is a record may be the only entry of a list, if that is closed. */
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
