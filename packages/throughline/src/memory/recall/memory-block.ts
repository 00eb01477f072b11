import { countTokens } from "../../tokens/count-tokens.ts";
import type { RecallHit } from "../memory-api.ts";
import { asData, asQuotation, BLOCK_CLOSING, BLOCK_OPENING } from "./data-block.ts";

/** Options of `tl.memory.recallBlock`. */
export interface BlockOptions {
  /** Maximum tokens of the block. */
  readonly budget: number;
  /** Returns true for a hit that the prompt already contains. Such hits are left out. */
  readonly isKnown?: (hit: RecallHit) => boolean;
}

/** Recalled memories as a block for a prompt. */
export interface MemoryBlock {
  readonly text: string;
  /** Ids of the memories and turns in the block, in order. */
  readonly sources: readonly string[];
  /** Reasons for each memory or turn, by id. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Renders hits as an escaped block for a prompt, within a budget of tokens. Stored text cannot close the block. */
export function renderMemories(hits: readonly RecallHit[], budget: number): MemoryBlock | undefined {
  const lines: string[] = [];
  const sources: string[] = [];
  const reasons: Record<string, string> = {};
  for (const hit of hits) {
    const line = `- ${hit.type === "memory" ? asData(hit.text) : asQuotation(hit)}`;
    if (countTokens([BLOCK_OPENING, ...lines, line, BLOCK_CLOSING].join("\n")) > budget) continue;
    lines.push(line);
    sources.push(hit.id);
    reasons[hit.id] = hit.reasons.join("; ");
  }
  if (lines.length === 0) return undefined;
  return { text: [BLOCK_OPENING, ...lines, BLOCK_CLOSING].join("\n"), sources, reasons };
}
