import type { JsonRecord } from "throughline/internal/util";

interface Field {
  readonly name: string;
  /** Range from the field name to the end of its value. */
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/**
 * Replaces, removes (`undefined`) or appends fields of a JSON object in its text. Everything else keeps its exact form,
 * including numbers that JavaScript cannot represent.
 */
export function replaceFields(text: string, changes: JsonRecord): string {
  const fields = fieldsOf(text);
  const isChanged = ({ name }: Field) => Object.hasOwn(changes, name);
  const isRemoved = (field: Field) => isChanged(field) && changes[field.name] === undefined;
  let written = "";
  let at = 0;
  fields.forEach((field, index) => {
    if (isRemoved(field)) {
      written += text.slice(at, field.start);
      at = fields[index + 1]?.start ?? field.end;
    } else if (isChanged(field)) {
      written += `${text.slice(at, field.value)}${JSON.stringify(changes[field.name])}`;
      at = field.end;
    }
  });
  const known = new Set(fields.map(({ name }) => name));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    known.has(name) || value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`],
  );
  const end = fields.at(-1)?.end ?? text.indexOf("{") + 1;
  // If the last field was removed, the comma before it goes too.
  const kept = `${written}${text.slice(at, end)}`.replace(/,\s*$/, "");
  const comma = fields.every(isRemoved) ? "" : ",";
  return `${kept}${added.length > 0 ? comma : ""}${added.join()}${text.slice(end)}`;
}

/** The fields of an object that is known to be valid JSON. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  let at = skipSpace(text, text.indexOf("{") + 1);
  while (text[at] === '"') {
    const start = at;
    const nameEnd = endOfString(text, at);
    const value = skipSpace(text, text.indexOf(":", nameEnd) + 1);
    const end = endOfValue(text, value);
    fields.push({ name: JSON.parse(text.slice(start, nameEnd)) as string, start, value, end });
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return fields;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === "{" || character === "[") depth += 1;
    else if (depth === 0 && /[,}\]\s]/.test(character)) return at;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth === 0 && /["}\]]/.test(text[at] ?? "")) return at + 1;
  }
  return text.length;
}
