import { digest } from "../../internal/digest.ts";
import { sameJson } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/one-line.ts";
import type { Remembered, RememberInput } from "../../memory/service/memory-api.ts";
import type { MemoryService } from "../../memory/service/memory-service.ts";

/** Outcome of saving a learned memory. `left`: a user changed, archived or erased it, so it was not written. */
export type Retold = "added" | "updated" | "unchanged" | "left";

interface Telling {
  readonly outcome: Retold;
  /** By which it is known the next time whether somebody else changed it. */
  readonly digest: string;
}

/**
 * Remembers what was learnt under its id, or tells it anew there. What a person has made of it meanwhile stands: words that
 * were changed by hand, what was put away, and what was erased.
 *
 * @param told the digest of what was told the last time, where it was
 * @param inBetterWords asked only where there is something new to tell
 */
export async function tellAnew(
  memory: MemoryService,
  input: RememberInput & { readonly id: string },
  told?: string,
  inBetterWords: (input: RememberInput) => Promise<RememberInput> = async (same) => same,
): Promise<Telling> {
  const outcome = await foreseeTelling(memory, input, told);
  if (outcome === "left" || outcome === "unchanged") return { outcome, digest: told ?? "" };
  const { memory: written }: Remembered = await memory.remember(await inBetterWords(input));
  return { outcome, digest: digest(written.levels.full) };
}

/** What `tellAnew` would do; nothing is written. */
export async function foreseeTelling(
  memory: MemoryService,
  input: RememberInput & { readonly id: string },
  told?: string,
): Promise<Retold> {
  const known = await memory.get(input.id);
  const isChanged = known !== undefined && told !== undefined && digest(known.levels.full) !== told;
  const isErased = known === undefined && told !== undefined;
  if (isErased || isChanged || known?.archivedAt !== undefined) return "left";
  if (known === undefined) return "added";
  const now = digest(stripInvisible(input.text).trim());
  return told === now && sameJson(known.artifacts, input.artifacts ?? []) ? "unchanged" : "updated";
}

/** How many of what was learnt became what. */
export type Tally = Record<Retold, number>;

export function emptyTally(): Tally {
  return { added: 0, updated: 0, unchanged: 0, left: 0 };
}

/** Adds up what became of several. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = emptyTally();
  for (const tally of tallies) for (const name of Object.keys(sum) as Retold[]) sum[name] += tally[name];
  return sum;
}
