import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { allMemories } from "../exchange/export-memories.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { spaceOf } from "../space/spaces.ts";
import { changeSpace } from "../space/write-changes.ts";
import { planSharing } from "./plan-sharing.ts";

/** New and updated shared facts of a project. */
export interface Shared {
  readonly memories: readonly Memory[];
  /** New contradictions between facts of different users. */
  readonly contradictions: readonly Contradiction[];
}

/**
 * Derives shared project facts from the private project facts of several users. A fact that two users state is shared.
 * If users state conflicting facts, both are shared with an open contradiction. The private facts stay unchanged.
 */
export async function shareFacts(context: MemoryContext, userIds: readonly string[]): Promise<Shared> {
  const { projectId, clock } = context;
  if (projectId === undefined) {
    throw new InvalidOptionError("projectId", projectId, "the project to share with: createThroughline({ projectId })");
  }
  const space = spaceOf("project-shared", context);
  const people = [...new Set(userIds)].map((userId) => spaceOf("user-private", { userId, projectId }));
  const { result, written } = await changeSpace(context, space, "share", async () => {
    const facts = await Promise.all(people.map((person) => allMemories(context, person)));
    const now = clock.now();
    const plan = planSharing({
      projectId,
      facts: facts.flat(),
      shared: await allMemories(context, space),
      contradictions: await context.memoryStore.list(space, "contradictions"),
      now,
      newId: (kind) => newId(kind === "memory" ? "mem" : "con", now),
    });
    return { ...plan, result: plan.contradictions };
  });
  return { memories: written.memories, contradictions: result };
}
