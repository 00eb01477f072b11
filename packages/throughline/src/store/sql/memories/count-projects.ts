import { omitUndefined } from "../../../internal/json.ts";
import type { ProjectContents } from "../../../ports/memory-store.ts";
import { sortContents } from "../../project-contents.ts";
import { numberOf, optionalNumberOf, optionalTextOf } from "../read-row.ts";
import type { StoreTransaction } from "../sql-driver.ts";

const MEMORIES = `SELECT project_id, COUNT(*) AS memories, MAX(last_seen_at) AS seen_at, MAX(last_accessed) AS used_at,
  COUNT(CASE WHEN valid_to IS NULL AND archived_at IS NULL THEN 1 END) AS current_count
  FROM memories WHERE space = ? GROUP BY project_id`;
const TURNS = `SELECT project_id, COUNT(DISTINCT session_id) AS sessions, MAX(COALESCE(at, created_at)) AS said_at
  FROM turns WHERE space = ? GROUP BY project_id`;

/** Counts memories and sessions of a space by project. */
export async function countProjects({
  tx,
  space,
}: {
  readonly tx: StoreTransaction;
  readonly space: string;
}): Promise<ProjectContents[]> {
  const found = new Map<string | undefined, ProjectContents>();
  for (const row of await tx.all(MEMORIES, [space])) {
    const projectId = optionalTextOf(row, "project_id");
    const lastUsedAt = Math.max(numberOf(row, "seen_at"), optionalNumberOf(row, "used_at") ?? Number.NEGATIVE_INFINITY);
    const counts = { memories: numberOf(row, "memories"), current: numberOf(row, "current_count") };
    found.set(projectId, omitUndefined({ projectId, ...counts, sessions: 0, lastUsedAt }));
  }
  for (const row of await tx.all(TURNS, [space])) {
    const projectId = optionalTextOf(row, "project_id");
    const saidAt = numberOf(row, "said_at");
    const known = found.get(projectId) ?? omitUndefined({ projectId, memories: 0, current: 0, lastUsedAt: saidAt });
    const sessions = numberOf(row, "sessions");
    found.set(projectId, { ...known, sessions, lastUsedAt: Math.max(known.lastUsedAt, saidAt) });
  }
  return sortContents([...found.values()]);
}
