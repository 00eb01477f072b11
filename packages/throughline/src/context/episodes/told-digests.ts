import { isRecord } from "../../internal/json.ts";
import { projectPrefix, type RecordPorts, recordSpace } from "./record-ports.ts";

/** Digests of what was told, by the ids or the names of what it is about. */
type ToldDigests = Readonly<Record<string, string>>;

type Shelf = Pick<RecordPorts, "documents" | "owner" | "projectId">;

const TRIES = 20;

/** What was told of a kind of things in a project. */
export async function readTold(shelf: Shelf, kind: string): Promise<ToldDigests> {
  const stored = await shelf.documents.get(recordSpace(shelf), nameOf(shelf, kind));
  return parse(stored?.value);
}

/** Adds to it, whoever else adds to it meanwhile. */
export async function addTold(shelf: Shelf, kind: string, told: ToldDigests): Promise<void> {
  const [space, name] = [recordSpace(shelf), nameOf(shelf, kind)];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const stored = await shelf.documents.get(space, name);
    const before = parse(stored?.value);
    if (Object.entries(told).every(([id, digest]) => before[id] === digest)) return;
    const value = { ...before, ...told };
    if (await shelf.documents.put(space, name, { revision: stored?.revision ?? 0, value })) return;
  }
}

function nameOf(shelf: Shelf, kind: string): string {
  return `${projectPrefix("learnt", shelf)}${kind}`;
}

function parse(value: unknown): ToldDigests {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, told]) => (typeof told === "string" ? [[id, told]] : [])),
  );
}
