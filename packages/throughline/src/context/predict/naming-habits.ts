/** Maximum distance of two files in folders. */
const MAX_DISTANCE = 3;
const SMOOTHING = 6;
/** Minimum share of a habit to look for its companion. */
const MIN_SHARE = 0.01;
/** Number of further files with such a name after which an observation weighs a third. */
const MEMORY = 150;

/**
 * Relation of two file paths: the folders that differ, and the form of the other name. For files with the same core,
 * common trailing folders are left out: `a/text/b/x.ts` relates to `a/image/b/x.ts` as `text` to `image`.
 */
interface Relation {
  readonly from: string;
  readonly to: string;
  /** Form of the name, with `*` for the core. */
  readonly frame: string;
}

interface Habit {
  readonly relation: Relation;
  /** Decayed number of observations, at the time of the last one. */
  weight: number;
  /** Number of files with such a name at that time. */
  at: number;
}

/**
 * Naming relations of files that change together, learned from a project: `login.ts` with `login.test.ts` next to it,
 * `package.json` with `CHANGELOG.md`. They also apply to files without history.
 */
export class NamingHabits {
  /** Habits by the frame of the current file. */
  readonly #habits = new Map<string, Map<string, Habit>>();
  readonly #seen = new Map<string, number>();

  /** Learns that a file was used after, or together with, others. */
  learn(file: PathParts, others: readonly PathParts[]): void {
    this.#seen.set(file.frame, (this.#seen.get(file.frame) ?? 0) + 1);
    for (const other of others) {
      this.#count(file, other);
      this.#count(other, file);
    }
  }

  /** Probability that a file with this relation changes together with a file of this kind of name. */
  strength(file: PathParts, other: PathParts): number {
    const relation = relate(file, other);
    if (relation === undefined) return 0;
    const habit = this.#habits.get(file.frame)?.get(keyOf(relation));
    return habit === undefined ? 0 : this.#share(file.frame, habit);
  }

  /** Possible companions of a file, the most usual first. They may not exist. */
  companions(file: PathParts, limit: number): readonly string[] {
    if (!isSpecific(file.core)) return [];
    return [...(this.#habits.get(file.frame)?.values() ?? [])]
      .filter(({ relation }) => relation.frame.includes("*"))
      .map((habit) => ({ relation: habit.relation, share: this.#share(file.frame, habit) }))
      .filter(({ share }) => share >= MIN_SHARE)
      .sort((a, b) => b.share - a.share || (keyOf(a.relation) < keyOf(b.relation) ? -1 : 1))
      .flatMap(({ relation }) => follow(file, relation) ?? [])
      .slice(0, limit);
  }

  #share(frame: string, { weight, at }: Habit): number {
    const seen = this.#seen.get(frame) ?? 0;
    const all = MEMORY * (1 - Math.exp(-seen / MEMORY));
    return (weight * Math.exp((at - seen) / MEMORY)) / (all + SMOOTHING);
  }

  #count(file: PathParts, other: PathParts): void {
    const relation = relate(file, other);
    if (relation === undefined) return;
    const habits = this.#habits.get(file.frame) ?? new Map<string, Habit>();
    this.#habits.set(file.frame, habits);
    const key = keyOf(relation);
    const at = this.#seen.get(file.frame) ?? 0;
    const habit = habits.get(key) ?? { relation, weight: 0, at };
    habit.weight = habit.weight * Math.exp((habit.at - at) / MEMORY) + 1;
    habit.at = at;
    habits.set(key, habit);
  }
}

function keyOf({ from, to, frame }: Relation): string {
  return `${from}\n${to}\n${frame}`;
}

function relate(file: PathParts, other: PathParts): Relation | undefined {
  const [a, b] = [file.folders, other.folders];
  const shared = sharedFolders(file, other);
  const isCompanion = file.core === other.core && isSpecific(file.core);
  let ending = 0;
  if (isCompanion) {
    const most = Math.min(a.length, b.length) - shared;
    while (ending < most && a[a.length - 1 - ending] === b[b.length - 1 - ending]) ending += 1;
  }
  const from = a.slice(shared, a.length - ending);
  const to = b.slice(shared, b.length - ending);
  if (from.length + to.length > MAX_DISTANCE) return undefined;
  // For unrelated names, only the number of parent folders matters, not their names.
  return isCompanion
    ? { from: from.join("/"), to: to.join("/"), frame: other.frame }
    : { from: "./".repeat(from.length), to: to.join("/"), frame: other.name };
}

/** Applies a relation to a file. Undefined if its folders do not match. */
function follow(file: PathParts, { from, to, frame }: Relation): string | undefined {
  const folders = replaceFolders(file.folders, from, to);
  if (folders === undefined) return undefined;
  const start = file.frame.indexOf("*");
  const core = file.name.slice(start, file.name.length - (file.frame.length - start - 1));
  const path = [...folders, frame.replace("*", () => core)].join("/");
  return path === file.path ? undefined : path;
}

function replaceFolders(folders: readonly string[], from: string, to: string): readonly string[] | undefined {
  const [out, put] = [from, to].map((text) => (text === "" ? [] : text.split("/")));
  if (out === undefined || put === undefined) return undefined;
  for (let at = folders.length - out.length; at >= 0; at -= 1) {
    if (out.every((name, index) => folders[at + index] === name)) {
      return [...folders.slice(0, at), ...put, ...folders.slice(at + out.length)];
    }
  }
  return undefined;
}

/** Number of common leading folders. */
export function sharedFolders({ folders: a }: PathParts, { folders: b }: PathParts): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

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
