import { splitShell } from "../../ledger/read/read-shell.ts";

const LONGEST = 160;
/** A value with a higher share of all cases is kept, not replaced by a placeholder. */
const USUAL = 0.5;
const MESSAGE_FLAG = /^(?:-m|-am|--message|--title|--body|--notes|-F|--body-file)$/;
const BRANCH_FLAG = /^(?:-b|-B|-c|-C|--create)$/;
const MAIN_BRANCH = /^(?:main|master|trunk|develop|HEAD|origin|upstream|-.*|.*[:@].*)$/;
const SHA = /(?<![\w-])(?=[a-f]*\d)[0-9a-f]{7,40}(?![\w-])/g;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const DATE = /(?<!\d)\d{4}-\d\d-\d\d(?:[T_ ]\d\d[:-]?\d\d(?:[:-]?\d\d)?Z?)?(?!\d)/g;
const DELIMITED = /[:/=@_.-]/;

/**
 * Generalizes the commands of a step: the most frequent form, with placeholders for the parts that vary.
 *
 * @example
 * generaliseCommand(["docker build -t app:1a2b3c4", "docker build -t app:5d6e7f8"]); // "docker build -t app:${SHA}"
 */
export function generaliseCommand(commands: readonly string[]): string {
  const all = commands.map(readWords).filter((words) => words.length > 0);
  const forms = [...Map.groupBy(all, formOf)].sort(
    ([a, x], [b, y]) => y.length - x.length || a.length - b.length || (a < b ? -1 : 1),
  );
  const [, alike = []] = forms[0] ?? [];
  const [first = []] = alike;
  const words = first.map((word, at) => {
    const values = alike.map((one) => one[at] ?? "");
    return wordOf(values, word.startsWith("-") ? undefined : first[at - 1]);
  });
  return words.map(quoted).join(" ").slice(0, LONGEST);
}

function readWords(command: string): readonly string[] {
  const words = splitShell(command).commands[0]?.words ?? [];
  const isGit = words[0] === "git";
  const bare = isGit && words[1] === "-C" ? ["git", ...words.slice(3)] : words;
  return bare.map((word, at) => withPlaceholders(word, bare, at));
}

/** Replaces values that always vary, such as messages, branches, ids and dates. */
function withPlaceholders(word: string, words: readonly string[], at: number): string {
  const before = words[at - 1] ?? "";
  if (MESSAGE_FLAG.test(before)) return placeholder("MESSAGE");
  if (words[0] === "git" && at > 1 && !word.startsWith("-")) {
    const isNamed = words[1] === "push" || BRANCH_FLAG.test(before);
    if (isNamed && !MAIN_BRANCH.test(word)) return placeholder("BRANCH");
  }
  return word.replace(UUID, placeholder("ID")).replace(DATE, placeholder("DATE")).replace(SHA, placeholder("SHA"));
}

/** Form of a command: program, flags and number of words. Commands of one form differ in single words. */
function formOf(words: readonly string[]): string {
  return [words[0], ...words.slice(1).map((word) => (word.startsWith("-") ? word.replace(/=.*/, "=") : "·"))].join(" ");
}

function wordOf(values: readonly string[], before: string | undefined): string {
  const counts = [...Map.groupBy(values, (value) => value)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  const [most = "", same = []] = counts[0] ?? [];
  if (counts.length === 1 || same.length > USUAL * values.length) return most;
  const start = sharedStart(values);
  const end = sharedStart(values.map((value) => [...value.slice(start.length)].reverse().join("")));
  const middles = values.map((value) => value.slice(start.length, value.length - end.length));
  const name = start.endsWith("/") && !start.includes(":") ? "PATH" : nameOf(middles, before);
  return `${start}${placeholder(name)}${[...end].reverse().join("")}`;
}

/** Common prefix of the values, up to a delimiter. */
function sharedStart(values: readonly string[]): string {
  const [first = ""] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length += 1;
  while (length > 0 && !DELIMITED.test(first[length - 1] ?? "")) length -= 1;
  // A number or version is not split.
  return first.slice(0, length).replace(/(?:v|(?<![\d.]))[\d.]+$/, "");
}

/** Placeholder of a variable: `${NAME}`. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

function nameOf(values: readonly string[], before: string | undefined): string {
  const are = (form: RegExp) => values.every((value) => form.test(value));
  if (are(/^\d+$/)) return "N";
  if (are(/^(?:[0-9a-f]{3,40}|\$\{SHA\})$/)) return "SHA";
  if (are(/^v?\d+(?:\.\d+)+/)) return "VERSION";
  if (are(/^https?:/)) return "URL";
  if (are(/[/\\]|\.[a-z]{1,5}$/i)) return "PATH";
  const flag = /^--?([a-z][a-z-]*)=?$/i.exec(before ?? "")?.[1] ?? "";
  return flag.length > 1 ? flag.replaceAll("-", "_").toUpperCase() : flag === "t" ? "TAG" : "VALUE";
}

function quoted(word: string): string {
  return /\s/.test(word) || word === placeholder("MESSAGE") ? `"${word}"` : word;
}
