import type { UseIndex } from "../use/use-index.ts";

/** How a file was named in what a session has shown. */
export interface Mention {
  readonly times: number;
  /** Characters from its last mention to the end of the text. */
  readonly distance: number;
  /** Only by its name, without a folder. */
  readonly isBare: boolean;
}

/** Only so much of the end of a text is read, and so many paths of it. */
const MAX_TEXT_LENGTH = 400_000;
const MAX_PATHS = 3_000;
const MAX_PATH_LENGTH = 240;
/** A bare name that many files have says little of any of them. */
const MAX_NAMESAKES = 12;
/** Folders in which a bare name that is not known may lie. */
const MAX_NEAR = 3;
const MAX_EXTENSION_LENGTH = 10;
const [DOT, SLASH, BACKSLASH, HYPHEN] = [46, 47, 92, 45];
const ABSOLUTE = /^(?:\/|~|[A-Za-z]:)/;
interface Written {
  times: number;
  last: number;
}

/**
 * Files that a text names, as paths of the project. A path is told by the known file that it ends in, or that ends in it.
 * From these it is seen where the project's root is, and so what a path stands for that no known file has.
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
    for (const one of placeStranger(path, { index, roots, near })) note(one, found, !path.includes("/"));
  }
  return mentions;
}

/** Every run of what paths are made of that ends in an extension. It is looked for by its dots: texts have few of them. */
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

/** Where an extension ends that begins at a dot: a letter and up to nine more signs, and no further dot or folder behind it. */
function endOfExtension(text: string, dot: number): number | undefined {
  if (!isLetter(text.charCodeAt(dot + 1))) return undefined;
  let end = dot + 2;
  while (end - dot <= MAX_EXTENSION_LENGTH && isWordSign(text.charCodeAt(end))) end += 1;
  const next = text.charCodeAt(end);
  if (isWordSign(next) || next === SLASH || next === BACKSLASH || next === HYPHEN) return undefined;
  return next === DOT && isWordSign(text.charCodeAt(end + 1)) ? undefined : end;
}

/** Without what stands before a path: `./`, or the dash of a list. */
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

interface Surroundings {
  readonly index: UseIndex;
  readonly roots: ReadonlySet<string>;
  readonly near: readonly string[];
}

/** Where a file may lie that is not known. */
function placeStranger(path: string, { index, roots, near }: Surroundings): readonly string[] {
  if (!index.hasExtension(path.slice(path.lastIndexOf(".") + 1)) || /(?:^|\/)\.{2,}\//.test(path)) return [];
  if (ABSOLUTE.test(path)) {
    return [...roots]
      .filter((root) => path.startsWith(root))
      .slice(0, 1)
      .map((root) => path.slice(root.length));
  }
  if (!path.includes("/")) return near.slice(0, MAX_NEAR).map((folder) => (folder === "" ? path : `${folder}/${path}`));
  const [first = ""] = path.split("/");
  // Diffs write `a/` and `b/` before a path.
  if (/^[ab]$/.test(first) && !index.hasFolder(first)) return [path.slice(2)];
  return [path];
}
