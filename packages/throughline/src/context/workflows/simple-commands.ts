import { splitShell } from "../../ledger/read/read-shell.ts";

/** Shell keywords, and words that run the command after them. */
const PASSED_OVER = /^(?:do|then|else|elif|if|while|until|!|\{|\(|time|nohup|command|exec|builtin|sudo|env)$/;
/** Programs that run the command after them and belong to it. */
const LAUNCHERS = /^(?:npx|bunx|pnpx)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Two or three words that run the command after them: `pnpm exec`, `uv run`, `python -m`. */
const RUNS_ANOTHER =
  /^(?:(?:pnpm|yarn|npm|mise|bundle|composer) (?:exec|dlx|x)|bun x|(?:uv|poetry|pipenv|rye|hatch|pdm) run|python[\d.]* -m|dotenv|cross-env|xvfb-run|doppler run|op run)(?: --)? /;
/** Start of a subshell or of a command substitution in an assignment. */
const OPENING = /^(?:[A-Za-z_]\w*=)?["']?[$]?\(+(?=\w)/;
const SHELLS = /^(?:ba|z|da)?sh$/;
const NESTED = 2;
const MAX_COMMANDS = 40;
const MAX_WRAPS = 20;

/** A simple command. */
interface SimpleCommand {
  /** Its words without prefixes such as `sudo` and `npx`. */
  readonly words: readonly string[];
  /** The program that runs it, such as `npx` or `uv run`. Empty if there is none. */
  readonly launcher: readonly string[];
}

const NOTHING: SimpleCommand = { words: [], launcher: [] };

/** Simple commands of a script. This is not a full shell parser: unknown syntax is skipped. */
export function simpleCommands(script: string, depth = 0): readonly SimpleCommand[] {
  return splitShell(script)
    .commands.slice(0, MAX_COMMANDS)
    .flatMap(({ words }) => {
      const bare = unwrap(words);
      const [program = "", flag = "", inner = ""] = bare.words;
      const isShell = SHELLS.test(program) && /^-\w*c$/.test(flag) && depth < NESTED;
      return isShell ? simpleCommands(inner, depth + 1) : bare.words.length === 0 ? [] : [bare];
    });
}

function unwrap(words: readonly string[]): SimpleCommand {
  let bare = words.filter((word) => word !== "\\" && word !== "");
  const launcher: string[] = [];
  for (let wraps = 0; wraps < MAX_WRAPS; wraps += 1) {
    const [first = "", ...rest] = bare;
    const word = first.replace(OPENING, "");
    if (word === "" || word.startsWith("#")) return NOTHING;
    const skipped = wordsSkipped(word);
    const launched = skipped > 0 ? 0 : LAUNCHERS.test(word) ? 1 : wordsBefore([word, ...rest]);
    if (skipped + launched === 0) return { words: withoutBracket([word, ...rest]), launcher };
    // Flags of a skipped word, such as `npx --yes`.
    const next = bare.findIndex((one, at) => at >= skipped + launched && !one.startsWith("-"));
    if (launched > 0) launcher.push(word, ...bare.slice(1, Math.max(0, next)));
    bare = next < 0 ? [] : bare.slice(next);
  }
  return NOTHING;
}

/** Number of leading words that do not belong to the command after them. */
function wordsSkipped(word: string): number {
  if (word === "timeout") return 2;
  return PASSED_OVER.test(word) || ASSIGNMENT.test(word) ? 1 : 0;
}

/** Number of leading words that run the command after them. */
function wordsBefore(words: readonly string[]): number {
  const found = RUNS_ANOTHER.exec(`${words.slice(0, 4).join(" ")} `)?.[0];
  const count = found === undefined ? 0 : found.trim().split(" ").length;
  return count < words.length ? count : 0;
}

/** Removes the closing bracket of a subshell from the last word. */
function withoutBracket(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  if (last === undefined || !last.endsWith(")") || words.some((word) => word.includes("("))) return words;
  const bare = last.replace(/(?<!\))\)+$/, "");
  return bare === "" ? words.slice(0, -1) : [...words.slice(0, -1), bare];
}
