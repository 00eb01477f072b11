/** Parsed path. */
export interface PathParts {
  readonly path: string;
  /** Folders from the root. */
  readonly folders: readonly string[];
  readonly folder: string;
  readonly name: string;
  /** Name without the suffix of a companion: `login` of `login.test.ts`. */
  readonly core: string;
  /** Name with `*` for the core: `*.test.ts`. */
  readonly frame: string;
  readonly extension: string;
  /** Words of the whole path, each once. */
  readonly words: readonly string[];
}

/** Affixes of companions: tests, stories, styles, declarations. */
const COMPANION =
  /(?:[._-](?:tests?|spec|e2e|stories|story|bench|mocks?|fixtures?|snap|types?|styles?|module|config|d|min|gen|impl|internal|unit|integration))$|^(?:tests?|mock)[._-]/i;
/** Names that many folders contain. Files with the same generic name are not related. */
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

/** True if a core identifies a file. */
export function isSpecific(core: string): boolean {
  return core.length > 1 && !GENERIC.test(core);
}

/** Normalized words of a name: lower case, singular, without numbers. */
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
