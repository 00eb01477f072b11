import { createThroughline } from "throughline";
import type { Step } from "./read-timelines.ts";

const BUDGET = 2_000;
const LIMIT = 100;

/** The text that a model would be given before it answers: what is recalled for the question, of all that happened before. */
export async function answerContext(before: readonly Step[], prompt: string): Promise<string> {
  let now = before[0]?.at ?? 0;
  const { memory } = await createThroughline({ clock: { now: () => now } });
  for (const step of before) {
    now = Math.max(now, step.at);
    if (step.type === "turn") {
      const { role, text, at } = step;
      await memory.ingest({ sessionId: "s", messages: [{ role, text, at }] });
    } else {
      const { key, value, at } = step;
      await memory.remember({ text: value, key, value, validFrom: at });
    }
  }
  now += 1;
  const hits = await memory.recall(prompt, { limit: LIMIT, cut: "none", budget: BUDGET });
  return hits.map(({ text }) => text).join("\n");
}
