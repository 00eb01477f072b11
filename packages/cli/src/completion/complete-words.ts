import type { Command, Option } from "commander";

/** Completions of the last word of a command line. Empty for files and free text, which the shell completes itself. */
export function completeWords(program: Command, line: readonly string[]): readonly string[] {
  const current = line.at(-1) ?? "";
  const { command, awaited, isInArguments } = readLine(program, line.slice(0, -1));
  if (awaited !== undefined) return awaited.argChoices ?? [];
  const options = ["--help", ...optionsOf(command).flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])))];
  if (current.startsWith("-")) return isInArguments ? [] : options;
  const commands = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const takesWords = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  // If nothing else can follow, offer the options.
  return commands.length + choices.length === 0 && !takesWords ? options : [...commands, ...choices];
}

interface ReadLine {
  /** The command that the words name. */
  readonly command: Command;
  /** An option whose value comes next. */
  readonly awaited: Option | undefined;
  /** True after `--`, where no options follow. */
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
