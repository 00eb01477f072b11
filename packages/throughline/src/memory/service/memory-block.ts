import { countTokens } from "../../tokens/count-tokens.ts";
import { asData, asQuotation, BLOCK_CLOSING, BLOCK_OPENING } from "./data-block.ts";
import type { RecallHit } from "./memory-api.ts";

export interface BlockOptions {
  /** Tokens that the block takes at the most. */
  readonly budget: number;
  /** What the prompt says already. */
  readonly isKnown?: (hit: RecallHit) => boolean;
}

export interface MemoryBlock {
  readonly text: string;
  /** Ids of what it says, in its order. */
  readonly sources: readonly string[];
  /** Why each is here, by its id. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Memories as they stand in a prompt, in at most so many tokens: a block that nothing in it can close. */
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
