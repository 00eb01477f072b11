import type { Argument, Command, Help } from "commander";

/** Commands that share a line, so that all of them fit a screen. */
const TOGETHER: Readonly<Record<string, string>> = {
  init: "mcp",
  sessions: "show",
  memories: "forget",
  contradictions: "consolidate",
  journal: "undo",
  export: "purge",
  doctor: "backup",
  config: "token",
  "migrate-legacy": "encrypt",
};

/** Named by another command, or called by programs alone. */
const UNLISTED = ["uninstall", "hook", "completion"];

/** How the list of all commands looks. */
export function overview(): Partial<Help> {
  const left = new Set([...Object.values(TOGETHER), ...UNLISTED]);
  return {
    visibleOptions: () => [],
    visibleCommands: (program) => program.commands.filter((command) => !left.has(command.name())),
    subcommandTerm: (command) => withPartner(command).map(termOf).join(", "),
    subcommandDescription: (command) =>
      withPartner(command)
        .map((one) => one.summary() || one.description())
        .join("; "),
    // Headings are enough between the lists.
    formatItemList: (heading, items) => (items.length === 0 ? [] : [heading, ...items]),
  };
}

function withPartner(command: Command): Command[] {
  const partner = command.parent?.commands.find((one) => one.name() === TOGETHER[command.name()]);
  return partner === undefined ? [command] : [command, partner];
}

function termOf(command: Command): string {
  return [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" ");
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}
