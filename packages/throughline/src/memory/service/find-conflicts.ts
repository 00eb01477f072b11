import { omitUndefined } from "../../internal/json.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { findFactConflict } from "../consolidate/find-fact-conflict.ts";
import { openContradiction } from "../contradictions/contradictions.ts";
import { newId } from "./new-id.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import type { PlanContext } from "./staged-space.ts";

/** Similar memories that a new one is compared with. */
const COMPARED = 20;

export interface NewMemory {
  readonly space: string;
  readonly memory: Memory;
  /** A memory that is known to conflict. */
  readonly against?: Memory | undefined;
}

/** Contradictions between a new fact and the facts most similar to it. */
export async function findConflicts(
  context: PlanContext,
  search: SearchSpaces,
  { space, memory, against }: NewMemory,
): Promise<readonly Contradiction[]> {
  if (memory.kind !== "fact") return [];
  const similar = await findSimilar(context, search, space, memory);
  const others = against === undefined ? similar : [against, ...similar.filter(({ id }) => id !== against.id)];
  const now = context.clock.now();
  const found = await mapYielding(others, (other) => {
    const finding = findFactConflict(other, memory);
    if (finding === undefined && other !== against) return [];
    const reason = finding ?? {
      kind: "value" as const,
      reason: `${other.owner} and ${memory.owner} differ.`,
      confidence: 1,
    };
    return [openContradiction(newId("con", now), other, memory, reason, now)];
  });
  return found.flat();
}

/** The facts of a space that are most similar to a memory, without archived ones. */
async function findSimilar(
  context: PlanContext,
  search: SearchSpaces,
  space: string,
  memory: Memory,
): Promise<readonly Memory[]> {
  const question = omitUndefined({
    // Search by words alone: the rules compare words.
    text: memory.levels.full,
    now: context.clock.now(),
    from: "memories" as const,
    kinds: ["fact" as const],
    projectId: memory.projectId,
  });
  const found = await context.memoryStore.similar(search, space, question, COMPARED + 1);
  const ids = found.filter((id) => id !== memory.id);
  return (await context.memoryStore.get(space, "memories", ids)).filter((other) => other.archivedAt === undefined);
}
