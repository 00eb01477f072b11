/** A path, taken apart once. */
export interface PathParts {
  readonly path: string;
  /** Folders from the root on. */
  readonly folders: readonly string[];
  readonly folder: string;
  readonly name: string;
  /** The name without what marks a file as the companion of another: `login` of `login.test.ts`. */
  readonly core: string;
  /** What the core stands in: `*.test.ts`. */
  readonly frame: string;
  readonly extension: string;
  /** Words of the whole path, each once. */
  readonly words: readonly string[];
}

/** What marks a companion: tests, stories, styles, declarations and the like. */
const COMPANION =
  /(?:[._-](?:tests?|spec|e2e|stories|story|bench|mocks?|fixtures?|snap|types?|styles?|module|config|d|min|gen|impl|internal|unit|integration))$|^(?:tests?|mock)[._-]/i;
/** Names that every folder may have: two of them have nothing to do with each other. */
const GENERIC =
  /^(?:index|main|mod|lib|init|__init__|package|readme|changelog|tsconfig|types?|utils?|route|page|layout)$/;
const MAX_WORDS_LENGTH = 400;

export function readPath(path: string): PathParts {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const core = coreOf(stem);
  const at = name.indexOf(core);
  return {
    path,
    folders,
    folder: folders.join("/"),
    name,
    core: core.toLowerCase(),
    frame: `${name.slice(0, at)}*${name.slice(at + core.length)}`,
    extension: dot > 0 ? name.slice(dot + 1).toLowerCase() : "",
    words: readWords(dot > 0 ? path.slice(0, path.length - name.length + dot) : path),
  };
}

/** A core that tells one file from others. */
export function isTelling(core: string): boolean {
  return core.length > 1 && !GENERIC.test(core);
}

/** Words of a name, in one form: without capitals, numbers and the plural. */
export function readWords(text: string): readonly string[] {
  const apart = text.slice(-MAX_WORDS_LENGTH).replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ");
  const words = apart.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words.filter((word) => !/^\d+$/.test(word)).map(singular))];
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function coreOf(stem: string): string {
  let core = stem;
  for (let shorter = core.replace(COMPANION, ""); shorter !== core; shorter = core.replace(COMPANION, "")) {
    if (shorter === "") return core;
    core = shorter;
  }
  return core;
}
