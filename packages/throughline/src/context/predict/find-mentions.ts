import type { UseIndex } from "./use-index.ts";

/** Mentions of a file in the text of a session. */
export interface Mention {
  readonly times: number;
  /** Characters from its last mention to the end of the text. */
  readonly distance: number;
  /** True if it was mentioned by name only, without a folder. */
  readonly isBare: boolean;
}

/** Characters at the end of a text that are read. */
const MAX_TEXT_LENGTH = 400_000;
const MAX_PATHS = 3_000;
const MAX_PATH_LENGTH = 240;
/** A bare name that more files have is ignored. */
const MAX_NAMESAKES = 12;
/** Maximum number of folders in which an unknown bare name is assumed. */
const MAX_NEAR = 3;
const MAX_EXTENSION_LENGTH = 10;
const [DOT, SLASH, BACKSLASH, HYPHEN] = [46, 47, 92, 45];
const ABSOLUTE = /^(?:\/|~|[A-Za-z]:)/;
interface Written {
  times: number;
  last: number;
}

/**
 * Finds files that a text mentions, as project paths. A path matches a known file if one is a suffix of the other.
 * These matches show the project root, which then resolves the paths of unknown files.
 */
export function findMentions(text: string, index: UseIndex, near: readonly string[]): ReadonlyMap<string, Mention> {
  const end = text.slice(-MAX_TEXT_LENGTH);
  const written = findPaths(end);
  const mentions = new Map<string, Mention>();
  const note = (path: string, { times, last }: Written, isBare: boolean): void => {
    const known = mentions.get(path);
    const distance = end.length - last;
    mentions.set(path, {
      times: times + (known?.times ?? 0),
      distance: Math.min(distance, known?.distance ?? distance),
      isBare: isBare && (known?.isBare ?? true),
    });
  };
  const roots = new Set<string>();
  const strangers: [string, Written][] = [];
  for (const [path, found] of written) {
    const known = knownAs(path, index);
    if (known.length === 0) strangers.push([path, found]);
    for (const one of known) {
      if (ABSOLUTE.test(path) && one.includes("/") && path.endsWith(`/${one}`)) roots.add(path.slice(0, -one.length));
      note(one, found, !path.includes("/"));
    }
  }
  for (const [path, found] of strangers) {
    for (const one of resolveUnknownPath(path, { index, roots, near })) note(one, found, !path.includes("/"));
  }
  return mentions;
}

/** All paths with an extension in a text. The search goes by dots, because texts contain few of them. */
function findPaths(text: string): ReadonlyMap<string, Written> {
  const found = new Map<string, Written>();
  for (let dot = text.indexOf("."); dot >= 0; dot = text.indexOf(".", dot + 1)) {
    const end = endOfExtension(text, dot);
    if (end === undefined) continue;
    let start = dot;
    while (start > 0 && dot - start <= MAX_PATH_LENGTH && isPathSign(text.charCodeAt(start - 1))) start -= 1;
    if (start === dot || dot - start > MAX_PATH_LENGTH) continue;
    const path = trimStart(text.slice(start, end).replaceAll("\\", "/"));
    const known = found.get(path);
    if (known !== undefined) {
      known.times += 1;
      known.last = start;
    } else if (found.size < MAX_PATHS) found.set(path, { times: 1, last: start });
  }
  return found;
}

/** End of an extension that starts at a dot: a letter and up to nine more characters, not followed by another part. */
function endOfExtension(text: string, dot: number): number | undefined {
  if (!isLetter(text.charCodeAt(dot + 1))) return undefined;
  let end = dot + 2;
  while (end - dot <= MAX_EXTENSION_LENGTH && isWordSign(text.charCodeAt(end))) end += 1;
  const next = text.charCodeAt(end);
  if (isWordSign(next) || next === SLASH || next === BACKSLASH || next === HYPHEN) return undefined;
  return next === DOT && isWordSign(text.charCodeAt(end + 1)) ? undefined : end;
}

/** Removes a prefix that is not part of the path: `./`, or the dash of a list item. */
function trimStart(path: string): string {
  return path
    .replace(/^[-+]+(?=[\p{L}\p{N}._/])/u, "")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/{2,}/g, "/");
}

function isPathSign(code: number): boolean {
  return (
    isWordSign(code) ||
    code === DOT ||
    code === SLASH ||
    code === BACKSLASH ||
    code === HYPHEN ||
    code === 43 ||
    code === 64 ||
    code === 126
  );
}

/** Letters, digits, the underscore, and all that is not ASCII. */
function isWordSign(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 95;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code > 191 && code < 0x2000) || code > 0x2fff;
}

function knownAs(path: string, index: UseIndex): readonly string[] {
  const namesakes = index.named(path.slice(path.lastIndexOf("/") + 1));
  const found = namesakes.filter((one) => one === path || one.endsWith(`/${path}`) || path.endsWith(`/${one}`));
  return found.length > MAX_NAMESAKES ? [] : found;
}

interface MentionDeps {
  readonly index: UseIndex;
  readonly roots: ReadonlySet<string>;
  readonly near: readonly string[];
}

/** Possible project paths of an unknown file. */
function resolveUnknownPath(path: string, { index, roots, near }: MentionDeps): readonly string[] {
  if (!index.hasExtension(path.slice(path.lastIndexOf(".") + 1)) || /(?:^|\/)\.{2,}\//.test(path)) return [];
  if (ABSOLUTE.test(path)) {
    return [...roots]
      .filter((root) => path.startsWith(root))
      .slice(0, 1)
      .map((root) => path.slice(root.length));
  }
  if (!path.includes("/")) return near.slice(0, MAX_NEAR).map((folder) => (folder === "" ? path : `${folder}/${path}`));
  const [first = ""] = path.split("/");
  // Diffs have `a/` and `b/` before a path.
  if (/^[ab]$/.test(first) && !index.hasFolder(first)) return [path.slice(2)];
  return [path];
}
