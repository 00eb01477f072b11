import type { Step } from "./read-timelines.ts";

/** All that was said and written: nothing that is needed is missing that anybody ever told. */
export function everything(before: readonly Step[]): string {
  return before.map((step) => (step.type === "turn" ? step.text : step.value)).join("\n");
}

/** The last value of every key, and nothing of what was said. */
export function keyedState(before: readonly Step[]): string {
  const state = new Map<string, string>();
  for (const step of before) if (step.type === "write") state.set(step.key, step.value);
  return [...state.values()].join("\n");
}
