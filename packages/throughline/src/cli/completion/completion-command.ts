import process from "node:process";
import { Argument, type Command } from "commander";
import { completeWords } from "./complete-words.ts";

// The shell asks the program itself, so that what it offers is what this version has.

const SCRIPTS = {
  bash: `_throughline() {
  local words
  words="$(throughline completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
  COMPREPLY=( $(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
complete -o default -F _throughline throughline
`,
  zsh: `#compdef throughline
_throughline() {
  local -a found
  found=( \${(f)"$(throughline completion words -- \${words[2,CURRENT-1]} 2>/dev/null)"} )
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _throughline throughline
`,
  fish: `complete -c throughline -f -a '(throughline completion words -- (commandline -opc)[2..-1] 2>/dev/null)'
`,
} as const;

type Shell = keyof typeof SCRIPTS;

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .summary("complete words in your shell")
    .description("print a script that lets your shell complete commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices([...Object.keys(SCRIPTS), "words"]))
    .argument("[before...]", "for `words`: what stands on the line already")
    .addHelpText("after", AFTERWORD)
    .action((shell: Shell | "words", before: readonly string[]) => {
      const text =
        shell === "words"
          ? completeWords(program, before)
              .map((word) => `${word}\n`)
              .join("")
          : SCRIPTS[shell];
      process.stdout.write(text);
    });
}

const AFTERWORD = `
Examples:
  bash: throughline completion bash > ~/.local/share/bash-completion/completions/throughline
  zsh:  throughline completion zsh > "\${fpath[1]}/_throughline"
  fish: throughline completion fish > ~/.config/fish/completions/throughline.fish`;
