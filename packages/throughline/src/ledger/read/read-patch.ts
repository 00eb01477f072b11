import type { FileAction } from "../ledger.ts";

/** An action of a call on a file. */
export interface FileTouch {
  readonly path: string;
  readonly action: FileAction;
  readonly to?: string;
}

const HEADER = /^\*\*\* (Update|Add|Delete) File: (.{1,300})$|^\*\*\* Move to: (.{1,300})$|^\+\+\+ b\/(.{1,300})$/gm;
const ACTIONS = { Update: "edited", Add: "created", Delete: "deleted" } as const;

/** The files of a patch in the format of Codex, or of a unified diff. */
export function readPatch(patch: string): readonly FileTouch[] {
  if (!patch.includes("*** ") && !patch.includes("+++ ")) return [];
  const touches: FileTouch[] = [];
  for (const [, kind, path, moved, diffed] of patch.matchAll(HEADER)) {
    if (path !== undefined) touches.push({ path: path.trim(), action: ACTIONS[kind as keyof typeof ACTIONS] });
    if (diffed !== undefined) touches.push({ path: diffed.trim(), action: "edited" });
    const last = touches.at(-1);
    if (moved !== undefined && last !== undefined) {
      touches[touches.length - 1] = { path: last.path, action: "renamed", to: moved.trim() };
    }
  }
  return touches;
}
