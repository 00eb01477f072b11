import { isStopWord } from "../language/stop-words.ts";
import { wordSet } from "../language/word-lists.ts";
import type { Ledger } from "./ledger.ts";

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
/** `hash1`, `test-123`: a short word with a number. */
const NUMBERED = /^[a-z]{1,6}[-_]?\d+$/;
/** `logging/logger.go`: a file in a directory. */
const FILE = /\/[^/.]+\.[a-z]{1,5}$/;
const COMMIT = /^[0-9a-f]{7,40}$/;
/** `.String`, `.json`: the end of another name. */
const SUFFIX = /^\.[A-Za-z_]+$/;

/**
 * Returns a test for names that only make sense in this session: not members of standard modules (`fmt.Errorf`) or of
 * short variables (`t.Run`), pairs of plain words (`encoding/hex`) and numbered values (`test-123`).
 */
export function specificTo({ files, names }: Pick<Ledger, "files" | "names">): (name: string) => boolean {
  const found = names.flat().flatMap(({ text }) => (text.includes("/") && !PLAIN_WORDS.test(text) ? [text] : []));
  const own = partsOf([...files.map(({ path }) => path), ...found.filter((name) => FILE.test(name))]);
  const known = new Set([...own, ...partsOf(found)]);
  const paths = new Set(files.map(({ path }) => path));
  return (name) => {
    if ((NUMBERED.test(name) && !COMMIT.test(name)) || SUFFIX.test(name)) return paths.has(name);
    if (PLAIN_WORDS.test(name)) return paths.has(name) || name.split("/").every((part) => known.has(part));
    const [, owner = "", member = ""] = MEMBER.exec(name) ?? [];
    if (owner === "") return !SYSTEM.test(name);
    // A sentence that ends without a space: `done.The`.
    if (/^[A-Z]/.test(member) && isStopWord(member.toLowerCase())) return false;
    if (STANDARD.has(owner.toLowerCase())) return own.has(owner);
    if (known.has(owner)) return true;
    const isLong = member.length >= LONG_MEMBER || (member.match(HUMPS)?.length ?? 0) >= MANY_HUMPS;
    return owner.length > SHORT_OWNER || isLong;
  };
}

/** The names of directories and files in paths, without extensions. */
function partsOf(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => path.split(/[/\\]/).map((part) => part.replace(/(?!^)\..*$/, ""))));
}
