import type { SessionMeta } from "throughline/transcript";
import { projectOf } from "../project.ts";

/** The folder of a session, or of the session that started it; `undefined` if the transcript has none. */
export function sessionFolder(meta: SessionMeta, metas: ReadonlyMap<string, SessionMeta>): string | undefined {
  const parent = meta.parentId === undefined ? undefined : metas.get(meta.parentId);
  return meta.cwd || parent?.cwd || undefined;
}

/** The project of a session's folder; `undefined` if the transcript has no folder. */
export function sessionProject(meta: SessionMeta, metas: ReadonlyMap<string, SessionMeta>): string | undefined {
  const folder = sessionFolder(meta, metas);
  return folder === undefined ? undefined : projectOf(folder).id;
}
