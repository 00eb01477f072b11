import type { Command, Option } from "commander";

/** What may come next on a command line, given the words before it. Nothing where a file or somebody's own word belongs. */
export function completeWords(program: Command, before: readonly string[]): readonly string[] {
  let command = program;
  let awaited: Option | undefined;
  for (const word of before) {
    if (awaited !== undefined) {
      awaited = undefined;
      continue;
    }
    const option = findOption(command, word);
    // One that is written with its value needs no further word.
    if (option !== undefined) awaited = option.required && !word.includes("=") ? option : undefined;
    else command = command.commands.find((one) => one.name() === word) ?? command;
  }
  if (awaited !== undefined) return awaited.argChoices ?? [];
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const commands = visibleCommands(command).map((one) => one.name());
  return [...commands, ...choices, ...optionsOf(command).flatMap(({ long }) => long ?? []), "--help"];
}

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands.call({ ...command.createHelp(), showGlobalOptions: false }, command);
}

function findOption(command: Command, word: string): Option | undefined {
  const [flag] = word.split("=");
  return optionsOf(command).find(({ long, short }) => flag === long || flag === short);
}

/** Its own, and those that every command takes. */
function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)];
}
