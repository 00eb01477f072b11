import { CHECKED_LATER, checkOptions, type OptionRules } from "../../errors/check-options.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Resolution } from "../../ports/memory.ts";
import { cleanText, refuseSecrets } from "../check-input.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { resolveContradiction } from "../reconcile/contradictions.ts";
import { isVisible, visibleSpaces } from "../space/spaces.ts";
import { changeSpace } from "../space/write-changes.ts";
import { buildLevels } from "../text-levels/build-levels.ts";

/** Resolution of a contradiction. */
export interface ResolveInput {
  readonly resolution: Resolution;
  /** Note to keep with the contradiction. */
  readonly note?: string;
  /** Text of the merged memory. Default: the texts of both memories. */
  readonly text?: string;
}

const RESOLVE_RULES: OptionRules<ResolveInput> = {
  resolution: CHECKED_LATER,
  note: CHECKED_LATER,
  text: CHECKED_LATER,
};

/** Resolves a contradiction. The validity of the losing memory ends; nothing is deleted. */
export async function resolveConflict(context: MemoryContext, id: string, input: ResolveInput): Promise<Contradiction> {
  checkOptions("memory.resolve", input, RESOLVE_RULES);
  const { resolution, note, text } = readInput(input);
  const space = await spaceOfContradiction(context, id);
  const { result } = await changeSpace(context, space, "resolve", async () => {
    const [contradiction] = await context.memoryStore.get(space, "contradictions", [id]);
    if (contradiction === undefined) throw new NotFoundError(`Contradiction ${id}`, "here");
    const { memoryA, memoryB } = contradiction;
    const now = context.clock.now();
    const resolved = resolveContradiction(
      contradiction,
      await context.memoryStore.get(space, "memories", [memoryA, memoryB]),
      {
        resolution,
        now,
        mergedId: newId("mem", now),
        levelsOf: (merged) => buildLevels({ kind: "fact", text: merged }),
        ...(note !== undefined && { note }),
        ...(text !== undefined && { mergedText: text }),
      },
    );
    return {
      memories: [...resolved.changed, ...resolved.added],
      contradictions: [resolved.contradiction],
      result: resolved.contradiction,
    };
  });
  return result;
}

function readInput({ resolution, note, text }: ResolveInput): ResolveInput {
  const clean = omitUndefined({
    resolution,
    note: note === undefined ? undefined : cleanText("note", note),
    text: text === undefined ? undefined : cleanText("text", text),
  });
  refuseSecrets([clean.note, clean.text]);
  return clean;
}

async function spaceOfContradiction(context: MemoryContext, id: string): Promise<string> {
  for (const space of visibleSpaces(context)) {
    const [found] = await context.memoryStore.get(space, "contradictions", [id]);
    const memories =
      found === undefined ? [] : await context.memoryStore.get(space, "memories", [found.memoryA, found.memoryB]);
    if (found !== undefined && memories.every((memory) => isVisible(memory, context))) return space;
  }
  throw new NotFoundError(`Contradiction ${id}`, "here");
}
