import { isRecord } from "../../internal/json.ts";
import { projectPrefix, type RecordPorts, recordSpace } from "./record-ports.ts";

/** Digests of learned memories as last stored, by memory id or workflow name. */
type LearnedDigests = Readonly<Record<string, string>>;

type DigestDeps = Pick<RecordPorts, "documents" | "owner" | "projectId">;

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

function nameOf(deps: DigestDeps, kind: string): string {
  return `${projectPrefix("learnt", deps)}${kind}`;
}

function parse(value: unknown): LearnedDigests {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, digest]) => (typeof digest === "string" ? [[id, digest]] : [])),
  );
}
