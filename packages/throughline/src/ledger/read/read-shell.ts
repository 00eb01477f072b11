import { type FileAction, LIMITS } from "../ledger.ts";

export interface ShellFacts {
  /** The command without the bodies of its heredocs and without lines of comments. */
  readonly text: string;
  /** Program, subcommand and operands of the main command. */
  readonly gist: string;
  readonly touches: readonly FileTouch[];
  /** True for a single command that does nothing to files if it fails: it redirects no output to a file. */
  readonly isAllOrNothing: boolean;
  /** True if its output can show a failure although its exit code does not, as with a test before a pipe. */
  readonly tests: boolean;
  /** Gists of all commands in it. */
  readonly parts: readonly string[];
}

/** Maximum number of `parts`. */
export const MAX_PARTS = 8;

const READERS = new Set(["cat", "head", "tail", "less", "more", "nl", "bat", "wc", "jq", "xxd"]);
const WRAPPERS = new Set(["sudo", "env", "time", "nohup", "command", "exec", "timeout", "npx", "xargs"]);
const PREPARES = new Set(["cd", "export", "source", "set", "pushd", "popd", "echo", "true", "sleep", "mkdir"]);
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/folders)\b|^\$\(mktemp/;
const TESTS =
  /\b(test|tests|pytest|vitest|jest|mocha|rspec|phpunit|ctest|tsc|lint|clippy|typecheck|check|build|vet|eslint|biome|mypy|ruff)\b/;

/** Programs that work on files with any name. */
const FILE_PROGRAM = /^(?:rm|cp|mv|mkdir|rmdir|touch|chmod|ln|tar|git)$/;

const LOOKS =
  /^(cat|ls|head|tail|nl|grep|rg|find|fd|test|stat|file|wc|echo|pwd|which|tree|jq|diff|ps|pgrep|lsof|sed (?:\d+|\$)(?:,(?:\d+|\$))?p|git (cat-file|config|ls-files|status|diff|log|show|grep|branch|add|stash list|remote|fetch|rev-parse))\b/;

/** True if a command, given by its gist, is read-only. */
export function isLook(gist: string): boolean {
  return LOOKS.test(gist);
}

/** Reads the effects of a shell command on files from its text. */
export function readShell(script: string): ShellFacts {
  const { text, commands, bodies } = splitShell(script);
  const touches: FileTouch[] = [];
  let folder = "";
  for (const { words, redirects } of commands) {
    // Work in a directory for temporary files is not part of the project.
    if (words[0] === "cd") folder = words[1] ?? "";
    if (TEMPORARY.test(folder)) continue;
    for (const { path, append } of redirects) {
      if (isFile(path)) touches.push({ path, action: append ? "edited" : "written" });
    }
    touches.push(...touchesOf(unwrap(words)));
  }
  for (const body of bodies) touches.push(...readPatch(body));
  const own = commands.map(({ words }) => unwrap(words)).filter(([program = ""]) => !PREPARES.has(program));
  const main = own.find((words) => !isLook(gistOf(words))) ?? own[0] ?? [];
  const gist = gistOf(main);
  return {
    text: commitText(gist, bodies) ?? withoutComments(text),
    gist: gist === "" ? text.slice(0, LIMITS.gist) : gist,
    touches,
    isAllOrNothing: own.length === 1 && commands.every(({ redirects }) => redirects.length === 0),
    tests: own.some((words) => !FILE_PROGRAM.test(words[0] ?? "") && TESTS.test(words.slice(0, 3).join(" "))),
    parts: [...new Set(own.map(gistOf))].slice(0, MAX_PARTS),
  };
}

function gistOf(words: readonly string[]): string {
  const operands = words.filter((word, index) => !word.startsWith("-") && words[index - 1] !== "-C");
  return operands.slice(0, 6).join(" ").slice(0, LIMITS.gist);
}

/** A script without lines of comments. One of nothing else stays. */
function withoutComments(text: string): string {
  const kept = text.replace(/^[ \t]*#[^\n]*(?:\n|$)/gm, "");
  return kept.trim() === "" ? text : kept;
}

/** `git commit` with a message from a heredoc, with the first line of the message. */
function commitText(gist: string, [message]: readonly string[]): string | undefined {
  const subject = message?.trim().split("\n", 1)[0] ?? "";
  return gist.startsWith("git commit") && subject !== "" ? `git commit -m "${subject}"` : undefined;
}

/** Drops variable assignments and wrapper programs before the actual command. */
function unwrap(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length - 1) {
    const word = words[at] ?? "";
    const passes = /^[A-Za-z_]\w*=/.test(word) || WRAPPERS.has(word) || (at > 0 && /^(-\w+|\d+[smh]?)$/.test(word));
    if (!passes) break;
    at += 1;
  }
  return words.slice(at);
}

function touchesOf(words: readonly string[]): readonly FileTouch[] {
  const [program = "", ...rest] = words;
  if (program === "git") return gitTouches(rest);
  const operands = rest.filter((word) => !word.startsWith("-"));
  const files = operands.filter(isFile);
  const each = (action: FileAction, paths = files) => paths.map((path) => ({ path, action }));
  if (READERS.has(program)) return each("read", files.filter(hasExtension));
  switch (program) {
    case "sed":
    case "perl": {
      const inPlace = rest.some((word) => /^-[a-z]*i|^--in-place/.test(word));
      return each(inPlace ? "edited" : "read", operands.slice(1).filter(isFile).filter(hasExtension));
    }
    case "rm":
      return each("deleted");
    case "touch":
      return each("created");
    case "tee":
      return each(rest.includes("-a") ? "edited" : "written");
    case "mv":
      return renamed(operands);
    case "cp":
      return operands.length === 2 ? each("created", operands.slice(1).filter(isFile)) : [];
    default:
      return [];
  }
}

function gitTouches([verb = "", ...rest]: readonly string[]): readonly FileTouch[] {
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (verb === "mv") return renamed(operands);
  if (verb === "rm") return operands.filter(isFile).map((path) => ({ path, action: "deleted" }));
  return [];
}

function renamed([path, to, ...more]: readonly string[]): readonly FileTouch[] {
  if (path === undefined || to === undefined || more.length > 0 || !isFile(path) || !isFile(to)) return [];
  return [{ path, action: "renamed", to }];
}

/** True if a word can be the path of a file: no patterns, no variables, no devices. */
function isFile(word: string): boolean {
  if (word.length < 2 || word.length > 300 || word.startsWith("/dev/") || word.startsWith("&")) return false;
  return /^[\w@~./\\:+\- \u00c0-\u024f]+$/.test(word) && /[A-Za-z0-9]/.test(word);
}

function hasExtension(word: string): boolean {
  return /\.[A-Za-z0-9_]{1,12}$/.test(word) || /(^|\/)[A-Z][A-Za-z]+file$/.test(word);
}

/** One simple command of a script. */
interface ShellCommand {
  readonly words: readonly string[];
  readonly redirects: readonly { readonly path: string; readonly append: boolean }[];
}

interface SplitScript {
  /** The script without the bodies of its heredocs. */
  readonly text: string;
  readonly commands: readonly ShellCommand[];
  readonly bodies: readonly string[];
}

const MAX_SCRIPT = 16_000;
const MAX_BODY = 100_000;
/** A word in quotes, an operator, or a run of anything else. An unclosed quote ends with the text. */
const LEXEME = /"(?:[^"\\]|\\.)*"?|'[^']*'?|&&|\|\||[;|\n]|\d?>>?&?\d?|&>>?|<<?<?|&|[^\s"'`;|&<>]+|`/gy;
const SPACES = /[ \t\r]+/y;

/** Splits a shell script into commands, well enough to see the programs and their files. Not a complete parser. */
export function splitShell(script: string): SplitScript {
  const { text, bodies } = takeHeredocs(script.slice(0, MAX_BODY));
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let redirects: { path: string; append: boolean }[] = [];
  let redirect: string | undefined;
  const close = () => {
    if (words.length > 0 || redirects.length > 0) commands.push({ words, redirects });
    words = [];
    redirects = [];
    redirect = undefined;
  };
  for (const { lexeme, glued } of lexemes(text.slice(0, MAX_SCRIPT))) {
    if (/^(&&|\|\||[;|\n&])$/.test(lexeme)) close();
    else if (/^(\d?|&)>>?/.test(lexeme)) redirect = /&\d$/.test(lexeme) ? undefined : lexeme;
    else if (/^<+$/.test(lexeme)) redirect = "<";
    else if (redirect !== undefined) {
      if (redirect !== "<") redirects.push({ path: unquote(lexeme), append: redirect.includes(">>") });
      redirect = undefined;
    } else if (glued && words.length > 0) words.push((words.pop() ?? "") + unquote(lexeme));
    else words.push(unquote(lexeme));
  }
  close();
  return { text, commands, bodies };
}

function* lexemes(text: string): Generator<{ lexeme: string; glued: boolean }> {
  let at = 0;
  let glued = false;
  while (at < text.length) {
    SPACES.lastIndex = at;
    const space = SPACES.exec(text);
    if (space !== null) {
      at += space[0].length;
      glued = false;
      continue;
    }
    LEXEME.lastIndex = at;
    const lexeme = LEXEME.exec(text)?.[0] ?? text[at] ?? "";
    at += lexeme.length;
    const isWord = !/^(&&|\|\||[;|\n&]|\d?>|&>|<)/.test(lexeme);
    yield { lexeme, glued: glued && isWord };
    glued = isWord;
  }
}

function unquote(lexeme: string): string {
  return /^["']/.test(lexeme) ? lexeme.replace(/^["']|["']$/g, "") : lexeme;
}

/** Separates heredocs, which are texts and not commands: `cat > f <<EOF` is about `f`. */
function takeHeredocs(script: string): { text: string; bodies: string[] } {
  if (!script.includes("<<")) return { text: script, bodies: [] };
  const kept: string[] = [];
  const bodies: string[] = [];
  let end: string | undefined;
  let body: string[] = [];
  for (const line of script.split("\n")) {
    if (end === undefined) {
      kept.push(line);
      end = line.length > 4_000 ? undefined : /(?<!<)<<-?\s*["'\\]?([A-Za-z_]\w*)/.exec(line)?.[1];
      body = [];
    } else if (line.trim() === end) {
      bodies.push(body.join("\n"));
      end = undefined;
    } else body.push(line);
  }
  if (end !== undefined) bodies.push(body.join("\n"));
  return { text: kept.join("\n"), bodies };
}

/** An action of a call on a file. */
export interface FileTouch {
  readonly path: string;
  readonly action: FileAction;
  readonly to?: string;
}

const HEADER = /^\*\*\* (Update|Add|Delete) File: (.{1,300})$|^\*\*\* Move to: (.{1,300})$|^\+\+\+ b\/(.{1,300})$/gm;

const ACTIONS = { Update: "edited", Add: "created", Delete: "deleted" } as const;

/** The files of a patch in the format of Codex, or of a unified diff. */
export function readPatch(patch: string): readonly FileTouch[] {
  if (!patch.includes("*** ") && !patch.includes("+++ ")) return [];
  const touches: FileTouch[] = [];
  for (const [, kind, path, moved, diffed] of patch.matchAll(HEADER)) {
    if (path !== undefined) touches.push({ path: path.trim(), action: ACTIONS[kind as keyof typeof ACTIONS] });
    if (diffed !== undefined) touches.push({ path: diffed.trim(), action: "edited" });
    const last = touches.at(-1);
    if (moved !== undefined && last !== undefined) {
      touches[touches.length - 1] = { path: last.path, action: "renamed", to: moved.trim() };
    }
  }
  return touches;
}
