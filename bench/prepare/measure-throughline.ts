import type { Message } from "throughline";
import { countTotalTokens } from "throughline/tokens";
import type { BenchThroughline } from "../compaction/bench-throughline.ts";
import { readTurn } from "../compaction/windows/throughline-window.ts";
import { makeExchange } from "./make-session.ts";
import { measureMemory } from "./measure-memory.ts";
import { type Measurement, median } from "./prepare-times.ts";

const NEXT_TURNS = 20;

/** Append, first prepare, then repeatedly one more exchange and prepare. */
export async function measureThroughline(
  throughline: BenchThroughline,
  messages: readonly Message[],
  tokens: number,
  budget: number,
): Promise<Measurement> {
  const before = measureMemory();
  const session = throughline.session(`prepare ${tokens} ${Math.random()}`, { contextLimit: budget, outputReserve: 0 });
  const start = performance.now();
  await session.append(messages);
  const loaded = performance.now();
  const turn = await session.prepare({ budget, memory: false });
  const first = performance.now() - loaded;
  const next: number[] = [];
  for (let more = 0; more < NEXT_TURNS; more += 1) {
    const added = makeExchange(1_000_000 + more);
    const from = performance.now();
    await session.append(added);
    await session.prepare({ budget, memory: false });
    next.push(performance.now() - from);
  }
  const memory = measureMemory() - before;
  const windowTokens = countTotalTokens(readTurn(turn));
  return { method: "throughline", tokens, load: loaded - start, first, next: median(next), memory, windowTokens };
}
