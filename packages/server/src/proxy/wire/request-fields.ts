import { isRecord, type JsonRecord, stringField } from "throughline/internal/util";

/** The values of those fields, if present. */
export function definitionsIn(body: JsonRecord, names: readonly string[]): readonly unknown[] {
  return names.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [body[name]]));
}

export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** True for system messages, at any position: no provider accepts them in the middle. */
export function isSystem({ role }: JsonRecord): boolean {
  return role === "system" || role === "developer";
}

/** The text of a content, which is a string or a list of parts. */
export function wordsOf({ content }: JsonRecord): string {
  if (typeof content === "string") return content;
  const pieces = Array.isArray(content) ? content.filter(isRecord) : [];
  return pieces.map((piece) => stringField(piece, "text") ?? "").join("\n");
}
