import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";

/**
 * The stored memory with the text, artifacts and times of a new version under the same id; everything else stays. An
 * archived or ended memory is returned unchanged.
 *
 * @throws InvalidOptionError if the stored memory has another kind, owner or project.
 */
export function overwriteMemory(known: Memory, draft: Memory): Memory {
  if (known.kind !== draft.kind || known.owner !== draft.owner || known.projectId !== draft.projectId) {
    throw new InvalidOptionError("id", draft.id, "the id of a memory of that kind, user and project, or an unused id");
  }
  if (known.archivedAt !== undefined || known.validTo !== undefined) return known;
  const { levels, key, artifacts, source, lastSeenAt } = draft;
  const isReworded = !sameJson(known.levels, levels);
  const overwritten: Memory = omitUndefined({
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
  return sameJson(overwritten, known) ? known : overwritten;
}
