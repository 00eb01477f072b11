import { digest } from "../../internal/digest.ts";
import { sameJson } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/one-line.ts";
import type { Remembered, RememberInput } from "../../memory/memory-api.ts";
import type { MemoryService } from "../../memory/memory-service.ts";

/** Result of an upsert. `left`: a user edited, archived or erased the memory, so it stays as it is. */
export type UpsertOutcome = "added" | "updated" | "unchanged" | "left";

interface Upserted {
  readonly outcome: UpsertOutcome;
  /** Digest of the stored text. A different digest next time means that a user edited it. */
  readonly digest: string;
}

/**
 * Adds or updates a learned memory by its id. Changes by a user win: an edited, archived or erased memory stays as it is.
 *
 * @param lastDigest digest of the text that was stored last time, if any
 * @param improve rewrites the text; called only if something is written
 */
export async function upsertLearned(
  memory: MemoryService,
  input: RememberInput & { readonly id: string },
  lastDigest?: string,
  improve: (input: RememberInput) => Promise<RememberInput> = async (same) => same,
): Promise<Upserted> {
  const outcome = await previewUpsert(memory, input, lastDigest);
  if (outcome === "left" || outcome === "unchanged") return { outcome, digest: lastDigest ?? "" };
  const { memory: written }: Remembered = await memory.remember(await improve(input));
  return { outcome, digest: digest(written.levels.full) };
}

/** The outcome that `upsertLearned` would have, without writing. */
export async function previewUpsert(
  memory: MemoryService,
  input: RememberInput & { readonly id: string },
  lastDigest?: string,
): Promise<UpsertOutcome> {
  const known = await memory.get(input.id);
  const isChanged = known !== undefined && lastDigest !== undefined && digest(known.levels.full) !== lastDigest;
  const isErased = known === undefined && lastDigest !== undefined;
  if (isErased || isChanged || known?.archivedAt !== undefined) return "left";
  if (known === undefined) return "added";
  const now = digest(stripInvisible(input.text).trim());
  return lastDigest === now && sameJson(known.artifacts, input.artifacts ?? []) ? "unchanged" : "updated";
}

/** Number of learned memories by outcome. */
export type OutcomeCounts = Record<UpsertOutcome, number>;

export function emptyCounts(): OutcomeCounts {
  return { added: 0, updated: 0, unchanged: 0, left: 0 };
}

/** The sum of several counts. */
export function sumCounts(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = emptyCounts();
  for (const counts of all) for (const name of Object.keys(sum) as UpsertOutcome[]) sum[name] += counts[name];
  return sum;
}
