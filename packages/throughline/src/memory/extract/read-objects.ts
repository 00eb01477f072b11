import { isRecord, type JsonRecord, tryParseJson } from "../../internal/json.ts";

/** A longer reply does not follow the prompt, so its rest is ignored. */
const MAX_REPLY_LENGTH = 32_000;
const MAX_OBJECT_LENGTH = 2_000;

/**
 * The objects in a model's reply: from a JSON array, an array in an object, between prose and fences, or the complete
 * ones of a truncated reply. Objects that cannot be parsed are skipped.
 */
export function readObjects(reply: string): { readonly objects: readonly JsonRecord[]; readonly isJson: boolean } {
  const text = reply.slice(0, MAX_REPLY_LENGTH).trim();
  const whole = tryParseJson(text.replace(/^```[\w-]*\s*|(?<!\s)\s*```$|```$/g, ""));
  if (whole !== undefined) {
    const list = listIn(whole.value);
    return { objects: list?.filter(isRecord) ?? [], isJson: list !== undefined };
  }
  const objects = findObjects(text);
  return { objects, isJson: objects.length > 0 || /\[\s*\]/.test(text) };
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const inner = Object.values(value).find(Array.isArray);
  return inner ?? [value];
}

function findObjects(text: string): JsonRecord[] {
  const objects: JsonRecord[] = [];
  for (let at = text.indexOf("{"); at !== -1; ) {
    const end = endOfObject(text, at);
    const object = end === undefined ? undefined : parseLoosely(text.slice(at, end));
    // An object that cannot be parsed, or that contains an array, may contain other objects.
    const inner = object === undefined ? undefined : Object.values(object).some(Array.isArray);
    if (object !== undefined && inner !== true) objects.push(object);
    at = text.indexOf("{", object !== undefined && inner !== true && end !== undefined ? end : at + 1);
  }
  return objects;
}

/** Offset after the object that starts here. Braces inside of strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  const last = Math.min(text.length, start + MAX_OBJECT_LENGTH);
  for (let i = start; i < last; i += 1) {
    const sign = text[i];
    if (inString && sign === "\\") i += 1;
    else if (sign === '"') inString = !inString;
    else if (!inString && sign === "{") depth += 1;
    else if (!inString && sign === "}") {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return undefined;
}

/** Repairs of common mistakes in JSON written by models. */
const REPAIRS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/[\u201c\u201d]/g, '"').replace(/,\s*([}\]])/g, "$1"),
  (text) => text.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
  (text) =>
    text
      .replace(/\bTrue\b/g, "true")
      .replace(/\bFalse\b/g, "false")
      .replace(/\bNone\b/g, "null"),
  (text) => text.replace(/(?<=[{,:]\s*)'([^'\n]*)'(?=\s*[,:}])/g, (_, inner: string) => JSON.stringify(inner)),
  (text) => text.replace(/[\n\r\t]+/g, " "),
];

/** Applies the repairs one after the other until the text is valid JSON. */
function parseLoosely(text: string): JsonRecord | undefined {
  let repaired = text;
  for (const repair of REPAIRS) {
    repaired = repair(repaired);
    const parsed = tryParseJson(repaired);
    if (parsed !== undefined) return isRecord(parsed.value) ? parsed.value : undefined;
  }
  return undefined;
}
