import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { buildLevelsWithModel } from "../text-levels/build-levels-with-model.ts";

/** Memories summarized by the model per pass; the rest keep their extractive levels. */
const MAX_WRITTEN = 50;

/** Limits for work with the model. */
export interface ModelLimits {
  readonly signal?: AbortSignal | undefined;
  /** Deadline in milliseconds since 1970, by the clock of the context. */
  readonly until: number;
}

/** Has the model, if there is one, rewrite the shorter levels of memories that are now served at a shorter level. */
export async function summarizeOld(
  { model, logger, clock }: MemoryContext,
  before: ReadonlyMap<string, Memory>,
  memories: readonly Memory[],
  { signal, until }: ModelLimits,
): Promise<readonly Memory[]> {
  if (model === undefined) return memories;
  const fresh = memories.filter(
    ({ id, servedLevel }) => servedLevel !== undefined && before.get(id)?.servedLevel === undefined,
  );
  const written = new Map<string, Memory>();
  for (const memory of fresh.slice(0, MAX_WRITTEN)) {
    if (signal?.aborted || clock.now() >= until) break;
    const { kind, key, value, levels } = memory;
    const input = { kind, text: levels.full, ...(key && { key }), ...(value && { value }) };
    const { levels: summarized, by, failure } = await buildLevelsWithModel(input, model, omitUndefined({ signal }));
    if (by === "model") written.set(memory.id, { ...memory, levels: summarized });
    else logger.info(`Memory ${memory.id}: no model summary (${failure ?? "empty reply"}), using the extractive one.`);
  }
  return memories.map((memory) => written.get(memory.id) ?? memory);
}
