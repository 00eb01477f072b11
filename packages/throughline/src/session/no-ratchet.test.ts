import { describe, expect, it } from "vitest";
import { SOAK } from "../../test/cases.ts";
import { SESSION_POLICY } from "../compact/policy.ts";
import { calculateThreshold } from "../overflow/check-overflow.ts";
import { replay } from "./compaction-replay.fixture.ts";
import { GROWING_SESSIONS } from "./growing-sessions.fixture.ts";

const COMPACTIONS = SOAK > 1 ? 50 : 20;
/** Share of the window that a turn takes. */
const TURN = SOAK > 1 ? 0.05 : 0.1;
const MAX_TURNS = 3_000;

const windows = SOAK > 1 ? [8_000, 16_000, 32_000, 200_000] : [8_000];
const kinds = SOAK > 1 ? Object.keys(GROWING_SESSIONS) : ["a coding session"];
const cases = windows.flatMap((contextLimit) => kinds.map((kind) => [kind, contextLimit] as const));

/** Maximum tokens of a summary without a model: its own size, and room for the user's words. */
function maxNote(trigger: number): { readonly own: number; readonly words: number } {
  const { summary, quotes } = SESSION_POLICY;
  const { share, maxTokens, minTokens, maxShare } = summary;
  const own = Math.min(maxTokens, Math.max(trigger * share, Math.min(minTokens, trigger * maxShare)));
  return { own, words: Math.min(quotes.maxTokens, trigger * quotes.share) };
}

function* turnsOf(kind: string, contextLimit: number) {
  const make = GROWING_SESSIONS[kind];
  for (let at = 0; at < MAX_TURNS; at += 1) yield make?.(at, contextLimit * TURN) ?? [];
}

describe("many compactions of one growing session", () => {
  it.each(cases)("each free at least half of what the first one freed: %s in a window of %d", async (kind, limit) => {
    const found = await replay({ contextLimit: limit }, turnsOf(kind, limit), COMPACTIONS);
    expect(found).toHaveLength(COMPACTIONS);
    const [first] = found;
    const threshold = calculateThreshold({ modelContextLimit: limit });
    for (const { freed, grown } of found) {
      expect(freed).toBeGreaterThanOrEqual((first?.freed ?? 0) / 2);
      expect(grown).toBeGreaterThan(threshold * 0.1);
    }
    const notes = found.map(({ note }) => note);
    const { own, words } = maxNote(threshold);
    const early = Math.max(...notes.slice(0, COMPACTIONS / 2));
    const late = notes.slice(COMPACTIONS / 2).sort((a, b) => a - b);
    // The text of a turn decides how much of its size a note fills, so single notes may differ.
    expect(late[Math.floor(late.length / 2)]).toBeLessThanOrEqual(Math.max(early * 1.05, own));
    expect(Math.max(...notes)).toBeLessThanOrEqual(own + words);
  });
});
