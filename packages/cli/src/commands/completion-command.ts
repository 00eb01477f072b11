import process from "node:process";
import { Argument, type Command, type Option } from "commander";

// The scripts call the program, so that completions match the installed version. They pass all words between the
// program name and the cursor.

const SCRIPTS = {
  bash: `_throughline() {
  local current="\${COMP_WORDS[COMP_CWORD]}" found
  # Between an option and its value bash sees a word of its own.
  [[ "$current" == "=" ]] && current=""
  found="$(throughline completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)"
  local IFS=$'\\n'
  COMPREPLY=( $(compgen -W "$found" -- "$current") )
}
complete -o default -F _throughline throughline
`,
  zsh: `#compdef throughline
_throughline() {
  local -a found
  found=( \${(f)"$(throughline completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"} )
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" == "_throughline" ]]; then _throughline "$@"; else compdef _throughline throughline; fi
`,
  fish: `function __throughline_complete
  set -l current (commandline -ct)
  set -l found (throughline completion words -- (commandline -opc)[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c throughline -f -a '(__throughline_complete)'
`,
} as const;

type Shell = keyof typeof SCRIPTS;

const HELP_FOOTER = `
Examples:
  throughline completion bash >> ~/.bash_completion
  throughline completion zsh > "\${fpath[1]}/_throughline"
  throughline completion fish > ~/.config/fish/completions/throughline.fish`;

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .summary("Set up shell completion")
    .description("Print a script that completes commands and options in your shell.")
    .addArgument(new Argument("<shell>", "Shell to print the script for").choices([...Object.keys(SCRIPTS), "words"]))
    .argument("[line...]", "For `words`, which the scripts call: the words on the command line")
    .addHelpText("after", HELP_FOOTER)
    .action((shell: Shell | "words", line: readonly string[]) => {
      process.stdout.write(shell === "words" ? inLines(completeWords(program, line)) : SCRIPTS[shell]);
    });
}

function inLines(words: readonly string[]): string {
  return words.map((word) => `${word}\n`).join("");
}

/** Completions of the last word of a command line. Empty for files and free text, which the shell completes itself. */
function completeWords(program: Command, line: readonly string[]): readonly string[] {
  const current = line.at(-1) ?? "";
  const { command, awaited, isInArguments } = readLine(program, line.slice(0, -1));
  if (awaited !== undefined) return awaited.argChoices ?? [];
  const options = ["--help", ...optionsOf(command).flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])))];
  if (current.startsWith("-")) return isInArguments ? [] : options;
  const commands = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const takesWords = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  // If no argument can follow, offer the options.
  return commands.length + choices.length === 0 && !takesWords ? options : [...commands, ...choices];
}

interface ReadLine {
  /** The command that the words name. */
  readonly command: Command;
  /** An option whose value comes next. */
  readonly awaited: Option | undefined;
  /** True after `--`, which ends the options. */
  readonly isInArguments: boolean;
}

function readLine(program: Command, words: readonly string[]): ReadLine {
  let command = program;
  let awaited: Option | undefined;
  for (const word of words) {
    // Bash splits `--port=5000` into three words.
    if (word === "=") continue;
    if (awaited !== undefined) {
      awaited = undefined;
      continue;
    }
    if (word === "--") return { command, awaited, isInArguments: true };
    const option = findOption(command, word);
    // An option written with its value needs no further word.
    if (option !== undefined) awaited = option.required && !word.includes("=") ? option : undefined;
    else command = command.commands.find((one) => one.name() === word) ?? command;
  }
  return { command, awaited, isInArguments: false };
}

function findOption(command: Command, word: string): Option | undefined {
  const [flag] = word.split("=");
  return optionsOf(command).find(({ long, short }) => flag === long || flag === short);
}

/** The options of a command and the global ones. */
function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}
