import type { Memory } from "../../ports/memory.ts";
import { buildLevelsWithModel } from "../levels/build-levels-with-model.ts";
import type { MemoryContext } from "./memory-context.ts";

/** As many memories are told in a model's words in one pass; the rest keep the rules' own. */
const MAX_WRITTEN = 50;

/** Memories that are told in short from now on, in the model's words where there is one and where it can be believed. */
export async function writeShorter(
  { model, logger }: MemoryContext,
  before: ReadonlyMap<string, Memory>,
  memories: readonly Memory[],
): Promise<readonly Memory[]> {
  if (model === undefined) return memories;
  const fresh = memories.filter(
    ({ id, servedLevel }) => servedLevel !== undefined && before.get(id)?.servedLevel === undefined,
  );
  const written = new Map<string, Memory>();
  for (const memory of fresh.slice(0, MAX_WRITTEN)) {
    const { kind, key, value, levels } = memory;
    const input = { kind, text: levels.full, ...(key && { key }), ...(value && { value }) };
    const { levels: told, by, failure } = await buildLevelsWithModel(input, model);
    if (by === "model") written.set(memory.id, { ...memory, levels: told });
    else logger.info(`Memory ${memory.id} is told in the rules' words: ${failure ?? "the model had none"}.`);
  }
  return memories.map((memory) => written.get(memory.id) ?? memory);
}
