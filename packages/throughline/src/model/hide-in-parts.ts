import { isRecord } from "../internal/json.ts";

/** A piece of a text that comes in pieces. */
interface Delta {
  readonly type: unknown;
  readonly id: unknown;
  readonly delta: string;
}

/** Hides what stands across the pieces of one text; each piece stays as long as it is. */
export function hideInParts(parts: readonly unknown[], hide: (text: string) => string): readonly unknown[] {
  const texts = new Map<string, string>();
  for (const part of parts) {
    if (isDelta(part)) texts.set(keyOf(part), (texts.get(keyOf(part)) ?? "") + part.delta);
  }
  const hidden = new Map([...texts].map(([key, text]) => [key, hide(text)]));
  const read = new Map<string, number>();
  return parts.map((part) => {
    if (!isDelta(part)) return part;
    const key = keyOf(part);
    const from = read.get(key) ?? 0;
    read.set(key, from + part.delta.length);
    return { ...part, delta: hidden.get(key)?.slice(from, from + part.delta.length) };
  });
}

function keyOf({ type, id }: Delta): string {
  return JSON.stringify([type, id]);
}

function isDelta(part: unknown): part is Delta {
  return isRecord(part) && typeof part.delta === "string";
}
