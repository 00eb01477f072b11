import { isRecord } from "../internal/json.ts";
import type { Part, ToolCallPart } from "../message/part.ts";
import { handleOf } from "../message/part-handle.ts";
import { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
import { jsonText } from "../tokens/json-text.ts";
import { isSigned } from "./bound-parts.ts";
import { cutText } from "./cut-text.ts";

export interface CutDeps {
  /** Counts the tokens of a text. */
  readonly count: (text: string) => number;
  /** Counts the tokens of a part. */
  readonly tokensOf: (part: Part) => number;
  /** True if notes name handles. */
  readonly namesHandles: boolean;
  /** Parts that must not change. */
  readonly fixed: ReadonlySet<Part>;
  /** Cache of outputs and other values as text, because each attempt needs them. */
  readonly written: Map<Part, string>;
}

/** Maximum characters of non-text input values. A note replaces longer ones. */
const MAX_OTHER_VALUES = 400_000;

/** Truncates a part to a number of tokens if possible; `undefined` if it can be removed, otherwise the part itself. */
export function cutPart(part: Part, cap: number, deps: CutDeps): Part | undefined {
  if (deps.fixed.has(part)) return part;
  const tokens = deps.tokensOf(part);
  if (tokens <= cap) return part;
  const note = deps.namesHandles ? `cut here; recall the whole as ${handleOf(part.id)}` : "cut here";
  switch (part.type) {
    case "text":
      return { ...without(part), text: cutText(part.text, cap, note, deps.count, tokens) } as Part;
    case "compaction-marker":
      return { ...without(part), summary: cutText(part.summary, cap, note, deps.count, tokens) } as Part;
    case "reasoning":
    case "reasoning-file":
      // Truncated reasoning has no use.
      return undefined;
    case "tool-result": {
      const output = deps.written.get(part) ?? toolOutputText(part.output);
      deps.written.set(part, output);
      const value = cutText(output, cap, note, deps.count, tokens);
      return { ...without(part), output: { type: isErrorOutput(part.output) ? "error-text" : "text", value } } as Part;
    }
    case "tool-call":
      return { ...without(part), input: cutInput(part, cap, note, deps) } as Part;
    case "file":
      return {
        id: part.id,
        type: "text",
        synthetic: true,
        text: `[File ${part.filename ?? ""} ${part.mediaType} left out${deps.namesHandles ? `; recall it as ${handleOf(part.id)}` : ""}]`,
      };
    default:
      return part;
  }
}

/**
 * Removes token counts, foreign fields, signatures and item ids of a changed part: a provider would use the original
 * that they refer to.
 */
function without<P extends Part>(part: P): Omit<P, "tokens" | "foreign"> {
  const { tokens: _, foreign: __, ...kept } = part;
  if (!isSigned(part)) return kept;
  const { providerOptions: ___, ...unsigned } = kept;
  return unsigned as Omit<P, "tokens" | "foreign">;
}

/** Truncates the long texts of an input. A note replaces the input if that is not enough. */
function cutInput(part: ToolCallPart, cap: number, note: string, { count, written }: CutDeps): unknown {
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
