import { digest } from "../../internal/digest.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { slotClaim } from "../consolidate/slot-claim.ts";
import { judgeContradiction } from "../contradictions/judge-contradiction.ts";
import type { MemoryContext } from "./memory-context.ts";

/** Pairs that the model judges per pass; the others stand as the rules found them. */
const MAX_JUDGED = 100;

/** Asks the model, if there is one, about contradictions that the rules found. Verdicts are stored: no pair is judged twice. */
export async function confirmContradictions(
  { model, memoryStore, logger }: MemoryContext,
  space: string,
  memories: readonly Memory[],
  found: readonly Contradiction[],
): Promise<readonly Contradiction[]> {
  if (model === undefined) return found;
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const confirmed: Contradiction[] = [];
  for (const [at, contradiction] of found.entries()) {
    const { memoryA, memoryB } = contradiction;
    const [a, b] = [byId.get(memoryA), byId.get(memoryB)];
    if (a === undefined || b === undefined || at >= MAX_JUDGED) {
      confirmed.push(contradiction);
      continue;
    }
    const cache = {
      // The key is a digest of both texts, so that the texts are not stored once more.
      get: async (pair: string) => (await memoryStore.get(space, "judgements", [digest(pair)]))[0]?.contradicts,
      set: (pair: string, contradicts: boolean) =>
        memoryStore.record(space, { judgements: [{ key: digest(pair), memoryIds: [memoryA, memoryB], contradicts }] }),
    };
    const { contradicts } = await judgeContradiction(slotClaim(a), slotClaim(b), model, cache, { logger });
    if (contradicts) confirmed.push(contradiction);
  }
  return confirmed;
}
