import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { planSharing } from "../consolidate/plan-sharing.ts";
import { allMemories } from "./export-memories.ts";
import type { MemoryContext } from "./memory-context.ts";
import { newId } from "./new-id.ts";
import { spaceOf } from "./spaces.ts";
import { changeSpace } from "./write-changes.ts";

/** What a project shares from now on. */
export interface Shared {
  readonly memories: readonly Memory[];
  /** Where people say different things. */
  readonly contradictions: readonly Contradiction[];
}

/**
 * Makes facts of the project from what several of its people said of it in private, each on their own: what two of them
 * say is shared, and where they differ both are, with an open contradiction. Their own facts stay as they are.
 */
export async function shareFacts(context: MemoryContext, userIds: readonly string[]): Promise<Shared> {
  const { projectId, clock } = context;
  if (projectId === undefined) {
    throw new InvalidOptionError("projectId", projectId, "the project to share with: createThroughline({ projectId })");
  }
  const space = spaceOf("project-shared", context);
  const people = [...new Set(userIds)].map((owner) => spaceOf("user-private", { owner, projectId }));
  const { result, written } = await changeSpace(context, space, "share", async () => {
    const facts = await Promise.all(people.map((person) => allMemories(context, person)));
    const now = clock.now();
    const plan = planSharing({
      projectId,
      facts: facts.flat(),
      shared: await allMemories(context, space),
      contradictions: await context.shelf.list(space, "contradictions"),
      now,
      newId: (kind) => newId(kind === "memory" ? "mem" : "con", now),
    });
    return { ...plan, result: plan.contradictions };
  });
  return { memories: written.memories, contradictions: result };
}
