import { oneLine } from "../internal/one-line.ts";
import type { FileTouch } from "./file-touch.ts";
import { keepBounded } from "./keep-bounded.ts";
import type { FileAction, Ledger, LedgerFile } from "./ledger.ts";
import { LIMITS } from "./ledger-limits.ts";

/** Writes down what was done to files. The one that was touched last stands last. */
export function noteFiles(ledger: Ledger, touches: readonly FileTouch[], at: number): Ledger {
  let { files, nextFile } = ledger;
  for (const touch of touches) {
    const path = tidy(touch.path);
    if (path === "") continue;
    const known = findFile(files, path);
    const before = known ?? { id: nextFile, path, actions: {} };
    if (known === undefined) nextFile += 1;
    files = [...files.filter((file) => file !== known), touched(before, touch, path, at)];
  }
  if (files === ledger.files) return ledger;
  return { ...ledger, files: keepFiles(files, LIMITS.files), nextFile };
}

/** Corrects what was noted when a call began by how it ended: what failed was not done, and what is new was created. */
export function settleFile(ledger: Ledger, id: number, failed: boolean, isNew: boolean): Ledger {
  const file = ledger.files.find((one) => one.id === id);
  if (file === undefined || !(failed || (isNew && file.last === "written"))) return ledger;
  const times = file.actions[file.last] ?? 0;
  const { [file.last]: _, ...others } = file.actions;
  const left: LedgerFile["actions"] = times > 1 ? { ...file.actions, [file.last]: times - 1 } : others;
  const actions = failed ? left : { ...left, created: (left.created ?? 0) + 1 };
  const [last] = Object.keys(actions) as FileAction[];
  const files = ledger.files.flatMap((one) => {
    if (one !== file) return [one];
    return last === undefined ? [] : [{ ...file, actions, last: failed ? last : ("created" as const) }];
  });
  return { ...ledger, files };
}

/** Finds a file by its path, also where one was given whole and the other relative to some directory. */
export function findFile(files: readonly LedgerFile[], path: string): LedgerFile | undefined {
  const exact = files.find((file) => file.path === path);
  if (exact !== undefined || !path.includes("/")) return exact;
  return files.findLast((file) => isTailOf(file.path, path) || isTailOf(path, file.path));
}

/** Whether anything but reading was done to a file. */
export function wasChanged({ actions }: Pick<LedgerFile, "actions">): boolean {
  return Object.keys(actions).some((action) => action !== "read");
}

function isTailOf(whole: string, tail: string): boolean {
  return whole.startsWith("/") && !tail.startsWith("/") && tail.includes("/") && whole.endsWith(`/${tail}`);
}

function tidy(path: string): string {
  return oneLine(path.replace(/^\.\//, ""), LIMITS.path).replace(/:\d+(:\d+)?$/, "");
}

function touched(
  file: Pick<LedgerFile, "id" | "path" | "actions"> & { readonly to?: string },
  { action, to }: FileTouch,
  path: string,
  at: number,
): LedgerFile {
  const target = to === undefined ? file.to : tidy(to);
  return {
    id: file.id,
    path: path.length > file.path.length ? path : file.path,
    actions: { ...file.actions, [action]: (file.actions[action] ?? 0) + 1 },
    last: action,
    at,
    ...(target === undefined ? {} : { to: target }),
  };
}

/** So many files: those that were only read go first, the oldest of them before the others. */
export function keepFiles(files: readonly LedgerFile[], max: number): readonly LedgerFile[] {
  if (files.length <= max) return files;
  const unchanged = files.filter((file) => !wasChanged(file));
  const gone = new Set(unchanged.slice(0, files.length - max));
  return keepBounded(
    files.filter((file) => !gone.has(file)),
    max,
  );
}
