import { isStopWord } from "../../language/stop-words.ts";
import { wordSet } from "../../language/words.ts";
import type { Ledger } from "../ledger.ts";

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
