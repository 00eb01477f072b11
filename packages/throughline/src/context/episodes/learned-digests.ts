import { isRecord } from "../../internal/json.ts";
import { stableId } from "../../memory/stable-id.ts";
import { projectPrefix, type RecordPorts, recordSpace } from "./record-ports.ts";

/** Digests of learned memories as last stored, by memory id or workflow name. */
type LearnedDigests = Readonly<Record<string, string>>;

type DigestDeps = Pick<RecordPorts, "documents" | "userId" | "projectId">;

const KIND = "learnt";
const TRIES = 20;

/** The digests of one kind of learned memories in a project. */
export async function readDigests(deps: DigestDeps, kind: string): Promise<LearnedDigests> {
  const stored = await deps.documents.get(recordSpace(deps), nameOf(deps, kind));
  return parse(stored?.value);
}

/** Adds digests; safe while other processes add some. */
export async function addDigests(deps: DigestDeps, kind: string, digests: LearnedDigests): Promise<void> {
  const [space, name] = [recordSpace(deps), nameOf(deps, kind)];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const stored = await deps.documents.get(space, name);
    const before = parse(stored?.value);
    if (Object.entries(digests).every(([id, digest]) => before[id] === digest)) return;
    const value = { ...before, ...digests };
    if (await deps.documents.put(space, name, { revision: stored?.revision ?? 0, value })) return;
  }
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
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await documents.get(space, name);
      const before = Object.entries(parse(stored?.value));
      const left = before.filter(([key]) => !isDropped(key));
      if (stored === undefined || left.length === before.length) break;
      if (await documents.put(space, name, { revision: stored.revision, value: Object.fromEntries(left) })) break;
    }
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
