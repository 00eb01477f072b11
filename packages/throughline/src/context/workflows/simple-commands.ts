import { splitShell } from "../../ledger/split-shell.ts";

/** Words that only hold a script together, or run what stands behind them. */
const PASSED_OVER =
  /^(?:do|then|else|elif|if|while|until|!|\{|\(|time|nohup|command|exec|builtin|sudo|env|npx|bunx|pnpx)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Two or three words that run what stands behind them: `pnpm exec`, `uv run`, `python -m`. */
const RUNS_ANOTHER =
  /^(?:(?:pnpm|yarn|npm|mise|bundle|composer) (?:exec|dlx|x)|bun x|(?:uv|poetry|pipenv|rye|hatch|pdm) run|python[\d.]* -m|dotenv|cross-env|xvfb-run|doppler run|op run)(?: --)? /;
/** A subshell, or what a variable is set to. */
const OPENING = /^(?:[A-Za-z_]\w*=)?["']?[$]?\(+(?=\w)/;
const SHELLS = /^(?:ba|z|da)?sh$/;
const NESTED = 2;
const MAX_COMMANDS = 40;
const MAX_WRAPS = 20;

/** The simple commands of a script, each without what only leads to it. Not a shell: what it cannot read it leaves out. */
export function simpleCommands(script: string, depth = 0): readonly (readonly string[])[] {
  return splitShell(script)
    .commands.slice(0, MAX_COMMANDS)
    .flatMap(({ words }) => {
      const bare = unwrap(words);
      const [program = "", flag = "", inner = ""] = bare;
      const isShell = SHELLS.test(program) && /^-\w*c$/.test(flag) && depth < NESTED;
      return isShell ? simpleCommands(inner, depth + 1) : bare.length === 0 ? [] : [bare];
    });
}

function unwrap(words: readonly string[]): readonly string[] {
  let bare = words.filter((word) => word !== "\\" && word !== "");
  for (let wraps = 0; wraps < MAX_WRAPS; wraps += 1) {
    const [first = "", ...rest] = bare;
    const word = first.replace(OPENING, "");
    if (word === "" || word.startsWith("#")) return [];
    const passed =
      PASSED_OVER.test(word) || ASSIGNMENT.test(word) ? 1 : word === "timeout" ? 2 : wordsBefore([word, ...rest]);
    if (passed === 0) return withoutBracket([word, ...rest]);
    // Flags of what was passed over, such as `npx --yes`.
    const next = bare.findIndex((one, at) => at >= passed && !one.startsWith("-"));
    bare = next < 0 ? [] : bare.slice(next);
  }
  return [];
}

/** How many words only run what stands behind them. */
function wordsBefore(words: readonly string[]): number {
  const found = RUNS_ANOTHER.exec(`${words.slice(0, 4).join(" ")} `)?.[0];
  const count = found === undefined ? 0 : found.trim().split(" ").length;
  return count < words.length ? count : 0;
}

/** A subshell ends with a bracket that belongs to no word. */
function withoutBracket(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  if (last === undefined || !last.endsWith(")") || words.some((word) => word.includes("("))) return words;
  const bare = last.replace(/(?<!\))\)+$/, "");
  return bare === "" ? words.slice(0, -1) : [...words.slice(0, -1), bare];
}
