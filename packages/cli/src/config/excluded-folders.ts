import { realpathSync } from "node:fs";
import process from "node:process";
import { UsageError } from "../usage-error.ts";
import { type Environment, environment } from "./environment.ts";
import { isSameFolder, normalizeFolder, projectOf } from "./project.ts";
import { readSettings } from "./read-settings.ts";

/** Tests if a folder is excluded. */
export type ExcludedFolders = (folder: string) => boolean;

/**
 * The folders in the setting `exclude`. Nothing in them, or below them, is imported or learned; nor from worktrees of
 * repositories in them. Folders that exist are also compared by their real paths, without symbolic links.
 */
export function excludedFolders(system: Environment = environment()): ExcludedFolders {
  const { exclude = [] } = readSettings({}, system);
  const patterns = exclude.flatMap((pattern) => withRealPath(expand(pattern, system))).map(segmentsOf);
  const isMatch = (folder: string) => {
    const paths = withRealPath(normalizeFolder(folder, system.platform)).map(segmentsOf);
    return paths.some((path) => patterns.some((pattern) => matchesBeginning(pattern, path, system.platform)));
  };
  const known = new Map<string, boolean>();
  return (folder) => {
    if (patterns.length === 0) return false;
    const isExcluded = known.get(folder) ?? (isMatch(folder) || isMatch(projectOf(folder).id));
    known.set(folder, isExcluded);
    return isExcluded;
  };
}

/** @throws UsageError if the folder of a command is excluded */
export function refuseExcluded(folder: string): void {
  if (!excludedFolders()(folder)) return;
  throw new UsageError(
    `Cannot use the folder ${folder}: the setting \`exclude\` matches it.`,
    "Choose another folder, or change `exclude`; `throughline config` shows its source.",
  );
}

function expand(pattern: string, { home, platform }: Environment): string {
  const whole = normalizeFolder(
    pattern.replace(/^~(?=$|[/\\])/, () => home),
    platform,
  );
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(whole)) return whole;
  throw new UsageError(
    `Invalid exclude: got ${JSON.stringify(pattern)}, expected an absolute path or one that starts with ~/.`,
    "Write it like this: ~/private, ~/clients/*/secret or /srv/**/private.",
  );
}

/** A path or pattern unchanged, and with symbolic links resolved before the first `*`. */
function withRealPath(whole: string): readonly string[] {
  const [fixed = ""] = /^[^*]*(?=[/\\][^/\\]*\*)|^[^*]*$/.exec(whole) ?? [];
  try {
    return [whole, realpathSync.native(fixed) + whole.slice(fixed.length)];
  } catch {
    // The folder does not exist, is not accessible, or is of another platform.
    return [whole];
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split(/[/\\]+/).filter((segment) => segment !== "");
}

/**
 * True if a pattern matches a path or one of its parent folders. `*` matches any characters in a folder's name, `**`
 * for any number of folders. Positions in the pattern are tracked as a set, so that the time is bounded.
 */
function matchesBeginning(
  pattern: readonly string[],
  path: readonly string[],
  platform: NodeJS.Platform = process.platform,
): boolean {
  let positions = new Set(afterStars(pattern, [0]));
  if (positions.has(pattern.length)) return true;
  for (const segment of path) {
    const next = [...positions].flatMap((at) => {
      if (pattern[at] === "**") return [at];
      return matchesSegment(pattern[at] ?? "", segment, platform) ? [at + 1] : [];
    });
    positions = new Set(afterStars(pattern, next));
    if (positions.has(pattern.length)) return true;
  }
  return false;
}

/** `**` also matches no folder. */
function afterStars(pattern: readonly string[], positions: readonly number[]): readonly number[] {
  return positions.flatMap((at) => (pattern[at] === "**" ? [at, ...afterStars(pattern, [at + 1])] : [at]));
}

function matchesSegment(pattern: string, segment: string, platform: NodeJS.Platform): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return isSameFolder(pattern, segment, platform);
  const ignoresCase = platform === "win32" || platform === "darwin";
  const text = ignoresCase ? segment.toLowerCase() : segment;
  const pieces = [first, ...rest].map((piece) => (ignoresCase ? piece.toLowerCase() : piece));
  const last = pieces.at(-1) ?? "";
  if (!text.startsWith(pieces[0] ?? "") || !text.endsWith(last)) return false;
  let at = pieces[0]?.length ?? 0;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
