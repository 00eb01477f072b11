import type { Command, Option } from "commander";

/**
 * What the last word of a command line may become. Nothing where a file or somebody's own word belongs: the shell has
 * its own ways there.
 */
export function completeWords(program: Command, line: readonly string[]): readonly string[] {
  const current = line.at(-1) ?? "";
  const { command, awaited, isInArguments } = readLine(program, line.slice(0, -1));
  if (awaited !== undefined) return awaited.argChoices ?? [];
  const options = ["--help", ...optionsOf(command).flatMap(({ long }) => long ?? [])];
  if (current.startsWith("-")) return isInArguments ? [] : options;
  const commands = command.commands.map((one) => one.name());
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const takesWords = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  // Where nothing else can follow, options are what there is to learn.
  return commands.length + choices.length === 0 && !takesWords ? options : [...commands, ...choices];
}

interface ReadLine {
  /** The command that the line has come to. */
  readonly command: Command;
  /** An option whose value comes next. */
  readonly awaited: Option | undefined;
  /** Behind `--` there are no options. */
  readonly isInArguments: boolean;
}

function readLine(program: Command, words: readonly string[]): ReadLine {
  let command = program;
  let awaited: Option | undefined;
  for (const word of words) {
    // Bash gives `--port=5000` in three words.
    if (word === "=") continue;
    if (awaited !== undefined) {
      awaited = undefined;
      continue;
    }
    if (word === "--") return { command, awaited, isInArguments: true };
    const option = findOption(command, word);
    // One that is written with its value needs no further word.
    if (option !== undefined) awaited = option.required && !word.includes("=") ? option : undefined;
    else command = command.commands.find((one) => one.name() === word) ?? command;
  }
  return { command, awaited, isInArguments: false };
}

function findOption(command: Command, word: string): Option | undefined {
  const [flag] = word.split("=");
  return optionsOf(command).find(({ long, short }) => flag === long || flag === short);
}

/** Its own, and those that every command takes. */
function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}
