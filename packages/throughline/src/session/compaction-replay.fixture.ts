import { expect } from "vitest";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { createThroughline } from "../throughline.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { clock } from "./long-session.fixture.ts";
import type { SessionOptions } from "./session-options.ts";

/** One turn of a conversation: a short question and an answer of about so many tokens. */
export function exchange(at: number, tokens: number): ModelMessage[] {
  const words = Math.max(1, tokens - 30);
  return [
    { role: "user", content: `Question ${at}: what does module-${at} export?` },
    { role: "assistant", content: `Module ${at} exports${" value".repeat(words)}.` },
  ];
}

interface Compacted {
  readonly freed: number;
  readonly after: number;
  /** Tokens that were appended since the compaction before. */
  readonly grown: number;
  /** Tokens of the summary. */
  readonly note: number;
}

/**
 * Opens a session, appends turn by turn until there are `wanted` compactions, and returns their results. No
 * compaction is due directly after another one.
 */
export async function replay(
  options: SessionOptions,
  turns: Iterable<ModelMessage[]>,
  wanted = Number.POSITIVE_INFINITY,
): Promise<Compacted[]> {
  const tl = await createThroughline({ clock });
  const session = tl.session("s", { modelId: "gpt-4o", ...options });
  const found: Compacted[] = [];
  let grown = 0;
  let read = 0;
  for (const turn of turns) {
    await session.append(turn);
    const added = await session.history(read);
    read += added.length;
    grown += countTotalTokens(added);
    const { wasCompacted, tokens } = await session.prepare();
    if (!wasCompacted) continue;
    const note = countTokens((await session.compactions()).at(-1)?.summary ?? "");
    found.push({ freed: tokens.before - tokens.afterCompact, after: tokens.afterCompact, grown, note });
    grown = 0;
    expect((await session.prepare()).wasCompacted).toBe(false);
    if (found.length >= wanted) break;
  }
  await tl.close();
  return found;
}
