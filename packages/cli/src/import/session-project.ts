import { existsSync } from "node:fs";
import path from "node:path";
import type { SessionMeta } from "throughline/transcript";
import { projectOf } from "../config/project.ts";

/** The folder of a session, or of the session that started it; `undefined` if the transcript has none. */
export function sessionFolder(meta: SessionMeta, metas: ReadonlyMap<string, SessionMeta>): string | undefined {
  const parent = meta.parentId === undefined ? undefined : metas.get(meta.parentId);
  return meta.cwd || parent?.cwd || undefined;
}

/**
 * Returns a function that gives the project of a session; `undefined` if the transcript has no folder. A folder that no
 * longer exists belongs to the repository that another session recorded above it: a session with a branch.
 *
 * @param metas metadata of all sessions, by id
 */
export function sessionProjects(metas: ReadonlyMap<string, SessionMeta>): (meta: SessionMeta) => string | undefined {
  const inRepository = [...metas.values()].filter(({ branch }) => branch !== undefined && branch !== "");
  const repositories = new Set(inRepository.flatMap((meta) => sessionFolder(meta, metas) ?? []).map(idOf));
  return (meta) => {
    const folder = sessionFolder(meta, metas);
    if (folder === undefined) return undefined;
    const id = idOf(folder);
    return existsSync(id) ? id : (parentsOf(id).find((parent) => repositories.has(parent)) ?? id);
  };
}

function idOf(folder: string): string {
  return projectOf(folder).id;
}

/** The parent folders of a path of any platform, the outermost first. */
function parentsOf(folder: string): readonly string[] {
  const { dirname } = folder.includes("\\") ? path.win32 : path.posix;
  const parents: string[] = [];
  for (let parent = dirname(folder); parent !== dirname(parent); parent = dirname(parent)) parents.unshift(parent);
  return parents;
}
