import { type Message, validateWindow } from "throughline";
import { countTotalTokens } from "throughline/tokens";
import { readMessages } from "./message-text.ts";
import type { Point } from "./points.ts";
import type { WindowPolicy } from "./policy.ts";
import { addToScore, emptyScore, type Score, specificRecall } from "./score.ts";

const WINDOW_BUDGETS: readonly number[] = [8_000, 16_000, 32_000];
const PROVIDERS = ["openai", "anthropic", "gemini"] as const;

export interface WindowScore {
  readonly policy: WindowPolicy;
  readonly budget: number;
  readonly score: Score;
}

export function startWindowScores(policies: readonly WindowPolicy[]): WindowScore[] {
  return WINDOW_BUDGETS.flatMap((budget) => policies.map((policy) => ({ policy, budget, score: emptyScore() })));
}

export async function measureWindows(point: Point, scores: readonly WindowScore[]): Promise<void> {
  for (const { policy, budget, score } of scores) {
    const start = performance.now();
    const window = await policy.fit(point, budget);
    const milliseconds = performance.now() - start;
    const tokens = countTotalTokens(window);
    addToScore(score, point, { text: readMessages(window), tokens, budget, milliseconds, violations: judge(window) });
  }
}

/** An empty window is not valid. */
function judge(window: readonly Message[]): number {
  if (window.length === 0) return 1;
  return PROVIDERS.reduce((sum, provider) => sum + validateWindow(window, provider).length, 0);
}

/** The best setting of each method at a budget. It is chosen in hindsight, in favor of the method. */
export function bestOfEachFamily(scores: readonly WindowScore[]): WindowScore[] {
  const best = new Map<string, WindowScore>();
  for (const entry of scores) {
    const key = `${entry.budget} ${entry.policy.family}`;
    const known = best.get(key);
    if (known === undefined || specificRecall(entry.score) > specificRecall(known.score)) best.set(key, entry);
  }
  return [...best.values()];
}
