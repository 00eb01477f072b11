import type { SessionMeta } from "throughline/transcript";
import { projectOf } from "../project.ts";

/**
 * The project of a session: of its folder, or of the session that started it. `undefined` if the transcript has no
 * folder.
 */
export function sessionProject(meta: SessionMeta, metas: ReadonlyMap<string, SessionMeta>): string | undefined {
  const parent = meta.parentId === undefined ? undefined : metas.get(meta.parentId);
  const folder = meta.cwd || parent?.cwd;
  return folder ? projectOf(folder).id : undefined;
}
