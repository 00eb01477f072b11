import process from "node:process";
import { Argument, type Command } from "commander";
import { completeWords } from "./complete-words.ts";

// The scripts ask the program itself, so that completions match the installed version. They pass all words after the
// program name up to the current one.

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
  throughline completion bash > ~/.local/share/bash-completion/completions/throughline
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
