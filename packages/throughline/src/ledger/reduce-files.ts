import { omitUndefined } from "../internal/json.ts";
import { oneLine } from "../internal/text.ts";
import type { Ledger, LedgerFile, PendingTouch } from "./ledger.ts";
import { keepBounded, LIMITS } from "./ledger-limits.ts";
import type { FileTouch } from "./read/read-patch.ts";

/** Assigns file ids to the touches of a call. Nothing is recorded yet, because the call may fail. */
export function planTouches(ledger: Ledger, touches: readonly FileTouch[]): readonly PendingTouch[] {
  const planned = ledger.pending.flatMap(({ effect }) => effect?.touches ?? []);
  const found: PendingTouch[] = [];
  let next = ledger.nextFile;
  for (const { path: given, action, to } of touches) {
    const path = normalizePath(given);
    if (path === "" || found.length === LIMITS.touches) continue;
    const known = findFile(ledger.files, path) ?? [...planned, ...found].find((touch) => touch.path === path);
    found.push(
      omitUndefined({ id: known?.id ?? next, path, action, to: to === undefined ? undefined : normalizePath(to) }),
    );
    if (known === undefined) next += 1;
  }
  return found;
}

/** Records actions on files. The file that was touched last is moved to the end. */
export function noteFiles(ledger: Ledger, touches: readonly PendingTouch[], at: number): Ledger {
  let { files } = ledger;
  for (const touch of touches) {
    const known = findFile(files, touch.path);
    const before = known ?? { id: touch.id, path: touch.path, actions: {} };
    files = [...files.filter((file) => file !== known), touched(before, touch, at)];
  }
  return files === ledger.files ? ledger : { ...ledger, files: keepFiles(files, LIMITS.files) };
}

/** Finds a file by its path, also if one path is absolute and the other relative. */
export function findFile(files: readonly LedgerFile[], path: string): LedgerFile | undefined {
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined || !path.includes("/")) return exact;
  return files.findLast((file) => isTailOf(file.path, path) || isTailOf(path, file.path));
}

/** True if a file was changed, not only read. */
export function wasChanged({ actions }: Pick<LedgerFile, "actions">): boolean {
  return Object.keys(actions).some((action) => action !== "read");
}

function isTailOf(whole: string, tail: string): boolean {
  return whole.startsWith("/") && !tail.startsWith("/") && tail.includes("/") && whole.endsWith(`/${tail}`);
}

function normalizePath(path: string): string {
  return oneLine(path.replace(/^\.\//, ""), LIMITS.path).replace(/:\d+(:\d+)?$/, "");
}

function touched(
  file: Pick<LedgerFile, "id" | "path" | "actions"> & { readonly to?: string },
  { path, action, to: target = file.to }: PendingTouch,
  at: number,
): LedgerFile {
  return {
    id: file.id,
    path: path.length > file.path.length ? path : file.path,
    actions: { ...file.actions, [action]: (file.actions[action] ?? 0) + 1 },
    last: action,
    at,
    ...(target === undefined ? {} : { to: target }),
  };
}

/** Reduces files to a maximum number. Files that were only read are dropped first, the oldest before others. */
export function keepFiles(files: readonly LedgerFile[], max: number): readonly LedgerFile[] {
  if (files.length <= max) return files;
  const unchanged = files.filter((file) => !wasChanged(file));
  const dropped = new Set(unchanged.slice(0, files.length - max));
  return keepBounded(
    files.filter((file) => !dropped.has(file)),
    max,
  );
}
