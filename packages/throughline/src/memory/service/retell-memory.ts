import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";

/**
 * A memory that is known under an id, as it is told now: its words, its artifacts and when it was, and all else as it is. What
 * was put away stays away, and what was told by somebody else or of something else is refused.
 */
export function retellMemory(known: Memory, draft: Memory): Memory {
  if (known.kind !== draft.kind || known.owner !== draft.owner || known.projectId !== draft.projectId) {
    throw new InvalidOptionError("id", draft.id, "the id of a memory of that kind, owner and project, or of none");
  }
  if (known.archivedAt !== undefined || known.validTo !== undefined) return known;
  const { levels, key, artifacts, source, lastSeenAt } = draft;
  const isReworded = !sameJson(known.levels, levels);
  const told: Memory = omitUndefined({
    ...known,
    levels,
    key: key ?? known.key,
    artifacts,
    source,
    lastSeenAt,
    validFrom: Math.min(known.validFrom, draft.validFrom),
    aliases: [...new Set([...known.aliases, ...draft.aliases])],
    servedLevel: isReworded ? undefined : known.servedLevel,
  });
  return sameJson(told, known) ? known : told;
}
