import { isRecord, type JsonRecord, stringField } from "throughline/internal";

/** What is said in those fields, where something is. */
export function definitionsIn(body: JsonRecord, names: readonly string[]): readonly unknown[] {
  return names.flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [body[name]]));
}

/** Texts that stand one behind another. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Whether something belongs to the system prompt, wherever it stands: no provider takes it in the middle. */
export function isSystem({ role }: JsonRecord): boolean {
  return role === "system" || role === "developer";
}

/** The words of a content, which is a text or a list of pieces. */
export function wordsOf({ content }: JsonRecord): string {
  if (typeof content === "string") return content;
  const pieces = Array.isArray(content) ? content.filter(isRecord) : [];
  return pieces.map((piece) => stringField(piece, "text") ?? "").join("\n");
}
