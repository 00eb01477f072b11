import { arrayField, isRecord, type JsonRecord, stringField } from "../internal/json.ts";

/** What callers look at. Where it was sent, and with which headers and words, is not among it. */
const FIELDS = ["statusCode", "status", "code", "isRetryable", "responseBody", "data", "reason"];

/** What an error says, and by which marks it is recognised. */
export function writeError(error: Error): JsonRecord {
  const own = error as Error & JsonRecord;
  const fields = FIELDS.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]));
  const marks = Object.getOwnPropertySymbols(error).flatMap((mark) =>
    (own as unknown as Record<symbol, unknown>)[mark] === true ? (Symbol.keyFor(mark) ?? []) : [],
  );
  return {
    name: error.name,
    message: error.message,
    ...Object.fromEntries(fields),
    ...(marks.length > 0 && { marks }),
  };
}

/** An error that callers treat as they treated the first. */
export function readError(json: JsonRecord): Error {
  const { name: _, message: __, marks: ___, ...fields } = json;
  const error = new Error(stringField(json, "message") ?? "");
  Object.defineProperty(error, "name", { value: stringField(json, "name") ?? "Error", configurable: true });
  for (const mark of arrayField(json, "marks") ?? []) {
    Object.defineProperty(error, Symbol.for(String(mark)), { value: true });
  }
  return Object.assign(error, isRecord(fields) ? fields : {});
}
