import { isRecord } from "../internal/json.ts";
import type { Part, ToolCallPart } from "../message/part.ts";
import { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
import { handleOf } from "../prune/mask-output.ts";
import { jsonText } from "../tokens/json-text.ts";
import { isSigned } from "./bound-parts.ts";
import { cutText } from "./cut-text.ts";

export interface CutContext {
  readonly count: (text: string) => number;
  readonly tokensOf: (part: Part) => number;
  /** Parts that are not to be touched, whatever they take. */
  readonly fixed: ReadonlySet<Part>;
  /** Outputs and other values as text, by part: every try needs them, and writing a long one takes time. */
  readonly written: Map<Part, string>;
}

/** Characters of an input's values that are no texts: more is not counted, a note takes its place. */
const MAX_OTHER_VALUES = 400_000;

/** A part in at most so many tokens where that is possible, `undefined` where it can go; else the part as it is. */
export function cutPart(part: Part, cap: number, context: CutContext): Part | undefined {
  if (context.fixed.has(part)) return part;
  const tokens = context.tokensOf(part);
  if (tokens <= cap) return part;
  const note = `cut here; recall the whole as ${handleOf(part.id)}`;
  switch (part.type) {
    case "text":
      return { ...without(part), text: cutText(part.text, cap, note, context.count, tokens) } as Part;
    case "compaction-marker":
      return { ...without(part), summary: cutText(part.summary, cap, note, context.count, tokens) } as Part;
    case "reasoning":
    case "reasoning-file":
      // Half a thought helps nobody.
      return undefined;
    case "tool-result": {
      const output = context.written.get(part) ?? toolOutputText(part.output);
      context.written.set(part, output);
      const value = cutText(output, cap, note, context.count, tokens);
      return { ...without(part), output: { type: isErrorOutput(part.output) ? "error-text" : "text", value } } as Part;
    }
    case "tool-call":
      return { ...without(part), input: cutInput(part, cap, note, context) } as Part;
    case "file":
      return {
        id: part.id,
        type: "text",
        synthetic: true,
        text: `[File ${part.filename ?? ""} ${part.mediaType} left out; recall it as ${handleOf(part.id)}]`,
      };
    default:
      return part;
  }
}

/**
 * Counts and foreign notes belong to what the part was, and so do a signature and an item's id: a provider would take
 * what they stand for in place of what was cut.
 */
function without<P extends Part>(part: P): Omit<P, "tokens" | "foreign"> {
  const { tokens: _, foreign: __, ...kept } = part;
  if (!isSigned(part)) return kept;
  const { providerOptions: ___, ...unsigned } = kept;
  return unsigned as Omit<P, "tokens" | "foreign">;
}

/** The long texts of an input are cut; where that is not enough, a note takes its place. */
function cutInput(part: ToolCallPart, cap: number, note: string, { count, written }: CutContext): unknown {
  const { input } = part;
  if (isRecord(input)) {
    const entries = Object.entries(input);
    const others = written.get(part) ?? jsonText(entries.filter(([, value]) => typeof value !== "string"));
    written.set(part, others);
    if (others.length > MAX_OTHER_VALUES) return { note };
    const share = Math.max(16, Math.floor((cap * 0.8) / Math.max(1, entries.length)));
    const cut = Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === "string" ? cutText(value, share, note, count) : value]),
    );
    if (count(jsonText(cut)) <= cap) return cut;
  }
  return { note };
}
