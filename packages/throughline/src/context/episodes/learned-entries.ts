import { digest, isRecord, sameJson } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { stableId } from "../../memory/ids.ts";
import type { Remembered, RememberInput } from "../../memory/memory-api.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import { changeDocument } from "../change-document.ts";
import { projectPrefix, type RecordPorts, recordSpace } from "./session-record.ts";

/** Result of an upsert. `left`: a user edited, archived or erased the memory, so it stays as it is. */
export type UpsertOutcome = "added" | "updated" | "unchanged" | "left";

interface Upserted {
  readonly outcome: UpsertOutcome;
  /** Digest of the stored text. A different digest next time means that a user edited it. */
  readonly digest: string;
}

/**
 * Adds or updates a learned memory by its id. Changes by a user win: an edited, archived or erased memory stays as it
 * is.
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

export function sumCounts(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = emptyCounts();
  for (const counts of all) for (const name of Object.keys(sum) as UpsertOutcome[]) sum[name] += counts[name];
  return sum;
}

/** Digests of learned memories as last stored, by memory id or workflow name. */
type LearnedDigests = Readonly<Record<string, string>>;

type DigestDeps = Pick<RecordPorts, "documents" | "userId" | "projectId">;

const KIND = "learnt";

/** The digests of one kind of learned memories in a project. */
export async function readDigests(deps: DigestDeps, kind: string): Promise<LearnedDigests> {
  const stored = await deps.documents.get(recordSpace(deps), nameOf(deps, kind));
  return parse(stored?.value);
}

/** Adds digests; safe while other processes add some. */
export async function addDigests(deps: DigestDeps, kind: string, digests: LearnedDigests): Promise<void> {
  const [space, name] = [recordSpace(deps), nameOf(deps, kind)];
  await changeDocument({ documents: deps.documents, space, name }, (value) => {
    const before = parse(value);
    const isKnown = Object.entries(digests).every(([id, digest]) => before[id] === digest);
    return isKnown ? undefined : { ...before, ...digests };
  });
}

/** Removes the digests of memories that are gone or as before, in every project, so that they can be learned again. */
export async function dropDigests(
  { documents, userId }: Pick<DigestDeps, "documents" | "userId">,
  ids: ReadonlySet<string>,
): Promise<void> {
  const space = recordSpace({ userId, projectId: undefined });
  for (const name of ids.size === 0 ? [] : await documents.list(space, `${KIND}/`)) {
    const projectId = decodeURIComponent(name.split("/")[1] ?? "");
    const isDropped = (key: string) => ids.has(key) || ids.has(workflowId(projectId, key));
    await changeDocument({ documents, space, name }, (value) => {
      const before = Object.entries(parse(value));
      const left = before.filter(([key]) => !isDropped(key));
      return left.length === before.length ? undefined : Object.fromEntries(left);
    });
  }
}

/** The id of a workflow's memory, by the name that its digest has. */
export function workflowId(projectId: string, name: string): string {
  return stableId(["workflow", projectId, name], 0);
}

function nameOf(deps: DigestDeps, kind: string): string {
  return `${projectPrefix(KIND, deps)}${kind}`;
}

function parse(value: unknown): LearnedDigests {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, digest]) => (typeof digest === "string" ? [[id, digest]] : [])),
  );
}
