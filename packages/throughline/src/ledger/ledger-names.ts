import { isStopWord } from "../language/stop-words.ts";
import { wordSet } from "../language/words.ts";
import { type Ledger, type LedgerName, LIMITS } from "./ledger.ts";

/**
 * Source of an identifier. Identifiers that the agent typed are likely to be typed again; those in results rarely are.
 */
export type Place =
  | "path"
  | "command"
  | "argument"
  | "body"
  | "summary"
  | "reply"
  | "speech"
  | "synthetic"
  | "reasoning"
  | "result";

const WEIGHTS: Readonly<Record<Place, number>> = {
  path: 8,
  command: 3,
  argument: 3,
  body: 1,
  summary: 1,
  reply: 0.75,
  speech: 0.5,
  synthetic: 0.5,
  reasoning: 0.25,
  result: 0.05,
};

/** Number of buckets of names in a ledger. */
export const BUCKETS = 128;
const NAMES_AFTER_EVICTION = 1_600;
/** Decay constants in approximate tokens: of the current step, and of the task. */
const FAST = 5_000;
const SLOW = 60_000;
/**
 * Names that a file in use shows are likely to be typed soon: their heat, up to `MAX_SEEN`, counts this many times
 * more. A file is in full use at the heat of one call with its path.
 */
const HOME_FACTOR = 3;
const MAX_SEEN = 0.2;
const FULL_USE = WEIGHTS.path;
/** A note has room for fewer long names, so they rank lower. */
const LENGTH_POWER = 0.5;
/** The name of a file at the end of a path, or alone. */
const FILE_NAME = /(?:^|\/)([^/]+\.[A-Za-z][A-Za-z0-9]{0,5})$/;

interface Mention {
  weight: number;
  file?: number;
}

/** The identifiers of one message, collected before the table is updated. */
export class Mentions {
  readonly found = new Map<string, Mention>();

  add(names: ReadonlyMap<string, number>, place: Place, file?: number): void {
    for (const [name, count] of names) {
      const weight = WEIGHTS[place] * Math.sqrt(count);
      const known = this.found.get(name);
      const mention = known ?? { weight: 0 };
      mention.weight += weight;
      if (file !== undefined) mention.file = file;
      if (known === undefined) this.found.set(name, mention);
    }
  }
}

/** Writes the mentions of a message into the table, at the ledger's clock. */
export function noteNames(names: Ledger["names"], clock: number, { found }: Mentions): Ledger["names"] {
  if (found.size === 0) return names;
  const buckets = names.length === BUCKETS ? [...names] : Array.from({ length: BUCKETS }, () => [] as LedgerName[]);
  const fresh = new Map<number, LedgerName[]>();
  for (const [text, mention] of found) {
    const index = bucketOf(text);
    let bucket = fresh.get(index);
    if (bucket === undefined) {
      bucket = [...(buckets[index] ?? [])];
      fresh.set(index, bucket);
      buckets[index] = bucket;
    }
    const place = bucket.findIndex((name) => name.text === text);
    if (place < 0) bucket.push(mentioned({ text, seen: clock, heat: [0, 0, 0] }, clock, mention));
    else bucket[place] = mentioned(bucket[place] as LedgerName, clock, mention);
  }
  return evict(buckets, clock);
}

/** Current use of a name: the sum of its weights after decay. */
export function heatOf({ seen, heat: [fast, slow, whole] }: LedgerName, clock: number): number {
  const age = clock - seen;
  return fast * Math.exp(-age / FAST) + slow * Math.exp(-age / SLOW) + 0.05 * whole;
}

/**
 * All names, by descending likelihood of being typed again. Names of files in use are more likely than others. A path
 * is used wherever one of its shorter forms is.
 */
export function rankNames(ledger: Pick<Ledger, "names" | "clock"> & Partial<Pick<Ledger, "files">>): LedgerName[] {
  const { names, clock, files = [] } = ledger;
  const all = names.flat();
  const heatOfPath = heatByName(ledger);
  const uses = new Map(files.map(({ id, path }) => [id, Math.min(1, heatOfPath(path) / FULL_USE)]));
  const shortHeat = new Map<LedgerName, number>();
  for (const [short, whole] of wholePaths(all))
    shortHeat.set(whole, (shortHeat.get(whole) ?? 0) + heatOf(short, clock));
  const scoreOf = (name: LedgerName) => {
    const use = name.file === undefined ? 0 : (uses.get(name.file) ?? 0);
    const heat = heatOf(name, clock) + (shortHeat.get(name) ?? 0);
    return (heat + HOME_FACTOR * use * Math.min(heat, MAX_SEEN)) / name.text.length ** LENGTH_POWER;
  };
  return all
    .map((name) => ({ name, score: scoreOf(name) }))
    .sort((a, b) => b.score - a.score || compare(a.name.text, b.name.text))
    .map(({ name }) => name);
}

/** The shorter forms of each path that occur, such as `store.go` of `src/store.go`, unless two paths end alike. */
export function wholePaths(names: readonly LedgerName[]): ReadonlyMap<LedgerName, LedgerName> {
  const byFile = new Map<string, LedgerName[]>();
  for (const name of names) {
    const file = FILE_NAME.exec(name.text)?.[1];
    if (file === undefined) continue;
    const forms = byFile.get(file) ?? [];
    forms.push(name);
    byFile.set(file, forms);
  }
  const wholes = new Map<LedgerName, LedgerName>();
  for (const forms of byFile.values()) {
    const [whole, ...shorter] = forms.sort((a, b) => b.text.length - a.text.length);
    const isEnd = ({ text }: LedgerName) => whole?.text.endsWith(`/${text.replace(/^\.?\//, "")}`) === true;
    if (whole === undefined || !shorter.every(isEnd)) continue;
    for (const short of shorter) wholes.set(short, whole);
  }
  return wholes;
}

/** The heat of single names, by text. */
export function heatByName({ names, clock }: Pick<Ledger, "names" | "clock">): (text: string) => number {
  return (text) => {
    const name = names[bucketOf(text)]?.find((one) => one.text === text);
    return name === undefined ? 0 : heatOf(name, clock);
  };
}

function mentioned(name: LedgerName, clock: number, { weight, file }: Mention): LedgerName {
  const age = clock - name.seen;
  const [fast, slow, whole] = name.heat;
  const heat = [fast * Math.exp(-age / FAST) + weight, slow * Math.exp(-age / SLOW) + weight, whole + weight];
  const home = file ?? name.file;
  const [a = 0, b = 0, c = 0] = heat.map((value) => Math.round(value * 1_000) / 1_000);
  return { text: name.text, seen: clock, heat: [a, b, c], ...(home === undefined ? {} : { file: home }) };
}

/** Drops a fifth of the names, the least used ones, if the table is full, so that evictions are rare. */
function evict(buckets: readonly (readonly LedgerName[])[], clock: number): Ledger["names"] {
  const size = buckets.reduce((sum, bucket) => sum + bucket.length, 0);
  if (size <= LIMITS.names) return buckets;
  const kept = new Set(rankNames({ names: buckets, clock }).slice(0, NAMES_AFTER_EVICTION));
  return buckets.map((bucket) => bucket.filter((name) => kept.has(name)));
}

/** The bucket of a name. */
export function bucketOf(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0) % BUCKETS;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Modules and objects of standard libraries. */
const STANDARD = wordSet(`
  fmt os io strings strconv errors filepath path context time sync bytes bufio json http testing regexp sort log math
  reflect runtime exec hex atomic slices maps console process window document object array promise string number date map
  set fs util expect vi jest assert self this super sys re logging collections itertools typing unittest pytest system`);
/** Minimum length, or number of inner capitals, of a member that is unlikely to be a standard one. */
const LONG_MEMBER = 12;
const HUMPS = /[a-z0-9][A-Z]/g;
const MANY_HUMPS = 2;
/** Maximum length of variable names. */
const SHORT_OWNER = 2;
/** `fmt.Errorf`: a member with its owner. */
const MEMBER = /^([A-Za-z_$][\w$]*)\.([\w$]+)$/;
/** `encoding/hex`, `read/write/list`: plain words. */
const PLAIN_WORDS = /^[a-z]+(?:\/[a-z0-9]+){1,3}$/;
/** `/bin/sh`: programs of the system. */
const SYSTEM = /^\/(?:dev|bin|sbin|usr)\//;
/** `hash1`, `test-123`, `validation3`: a short word with a number, or a word before the number of a list item. */
const NUMBERED = /^[a-z]{1,6}[-_]?\d+$|^[a-z]+\d$/;
/** `state1`: a numbered variable. */
const VARIABLE = /^[a-z]{4,}\d$/;
/** `src/store.goLet`: a file, and the first word of the next sentence. */
const JOINED = /\/[^/.]+\.[a-z]{1,5}([A-Z][a-z]+)$/;
/** `logging/logger.go`: a file in a directory. */
const FILE = /\/[^/.]+\.[a-z]{1,5}$/;
/** `example.com/shop/logging`: a package under the name of its host. */
const PACKAGE = /^[a-z0-9-]+\.[a-z]{2,6}\/[\w./-]+$/;
/** `origin/notes/drafts`, `refs/heads/notes/drafts`: a branch. */
const BRANCH = /^(?:origin|upstream|refs\/(?:heads|tags|remotes\/[\w-]+))\/([^/]+\/.+)$/;
/** Use of a name that the agent wrote into a file at least once. */
const WRITTEN = 1;
const COMMIT = /^[0-9a-f]{7,40}$/;
/** `.String`, `.json`: the end of another name. */
const SUFFIX = /^\.[A-Za-z_]+$/;

/**
 * Returns a test for names that only make sense in this session: not members of standard modules (`fmt.Errorf`) or of
 * short variables (`t.Run`), pairs of plain words (`encoding/hex`) and numbered values (`test-123`). Words that are
 * code of a file count as names.
 */
export function specificTo({ files, names }: Pick<Ledger, "files" | "names">): (name: string) => boolean {
  const paths = files.map(({ path }) => path);
  const texts = new Set(names.flat().map(({ text }) => text));
  const found = [...texts].filter((text) => text.includes("/") && !PLAIN_WORDS.test(text));
  const own = partsOf([...paths, ...found.filter((name) => FILE.test(name) || PACKAGE.test(name))]);
  const known = new Set([...own, ...partsOf(found)]);
  // A branch with and without its remote.
  const branches = [...texts].flatMap((text) => BRANCH.exec(text)?.slice(0, 2) ?? []);
  const wholes = new Set([...paths, ...branches]);
  // In the text of a file, `state1` is a variable, and `shop/drafts` a value if the agent wrote it and the project has
  // a part of that name; in a sentence they are words.
  const ofFiles = names.flat().filter(({ file }) => file !== undefined);
  const shown = new Set(ofFiles.map(({ text }) => text));
  const written = new Set(ofFiles.filter(({ heat }) => heat[2] >= WRITTEN).map(({ text }) => text));
  const isSpecificMember = memberTest({ own, known, texts });
  return (name) => {
    if (wholes.has(name)) return true;
    if (SUFFIX.test(name) || isJoined(name)) return false;
    if (NUMBERED.test(name) && !COMMIT.test(name)) return VARIABLE.test(name) && shown.has(name);
    if (PLAIN_WORDS.test(name)) {
      const parts = name.split("/");
      const isOwn =
        written.has(name) && parts.some((part) => own.has(part)) && !parts.some((part) => STANDARD.has(part));
      return isOwn || parts.every((part) => known.has(part));
    }
    const [, owner, member] = MEMBER.exec(name) ?? [];
    return owner === undefined || member === undefined ? !SYSTEM.test(name) : isSpecificMember(owner, member);
  };
}

function isJoined(name: string): boolean {
  const [, start = ""] = JOINED.exec(name) ?? [];
  return isStopWord(start.toLowerCase());
}

/** Names of a session: parts of paths of its own files, parts of all its paths, and all names. */
interface KnownNames {
  readonly own: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
}

function memberTest({ own, known, texts }: KnownNames): (owner: string, member: string) => boolean {
  return (owner, member) => {
    // A sentence that ends without a space: `done.The`.
    if (/^[A-Z]/.test(member) && isStopWord(member.toLowerCase(), { fillers: true })) return false;
    if (STANDARD.has(owner.toLowerCase())) return own.has(owner);
    // A field that also occurs without its variable: `cp.CommitHash` and `CommitHash`.
    if (owner.length > SHORT_OWNER || known.has(owner) || texts.has(member)) return true;
    return member.length >= LONG_MEMBER || (member.match(HUMPS)?.length ?? 0) >= MANY_HUMPS;
  };
}

/** The names of directories and files in paths, without extensions. */
function partsOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.split(/[/\\]/).map((part) => part.replace(/(?!^)\..*$/, ""))));
}
