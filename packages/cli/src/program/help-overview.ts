import type { Argument, Command, Help } from "commander";

/** Commands that share a line, so that the overview fits a screen. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  init: ["mcp"],
  inspect: ["compact"],
  import: ["learn"],
  sessions: ["show", "restore"],
  remember: ["sync"],
  recall: ["context"],
  memories: ["forget", "projects"],
  contradictions: ["consolidate"],
  journal: ["undo", "reembed"],
  export: ["purge"],
  doctor: ["backup"],
  encrypt: ["migrate-legacy"],
  config: ["completion"],
  token: ["jobs"],
};

/** Commands that are mentioned elsewhere, or only called by programs. */
const UNLISTED = ["uninstall", "hook"];

/** Shorter descriptions for some lines. */
const IN_SHORT: Readonly<Record<string, string>> = {
  import: "Import histories or memories; learn from code",
  recall: "Search memories; show what an agent gets",
};

/** Longer terms are shown without arguments. */
const MAX_TERM_LENGTH = 27;

/** The layout of the command overview. */
export function overview(): Partial<Help> {
  const left = new Set([...Object.values(TOGETHER).flat(), ...UNLISTED]);
  return {
    visibleOptions: () => [],
    visibleCommands: (program) => program.commands.filter((command) => !left.has(command.name())),
    subcommandTerm: (command) => termOf(withPartners(command)),
    subcommandDescription: (command) =>
      IN_SHORT[command.name()] ??
      withPartners(command)
        .map((one, i) => {
          const text = one.summary() || one.description();
          return i === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1);
        })
        .join("; "),
    // No blank lines between the groups.
    formatItemList: (heading, items) => (items.length === 0 ? [] : [heading, ...items]),
  };
}

function withPartners(command: Command): readonly Command[] {
  const names = TOGETHER[command.name()] ?? [];
  const partners = names.flatMap((name) => command.parent?.commands.find((one) => one.name() === name) ?? []);
  return [command, ...partners];
}

function termOf(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name());
  const full = commands.map((command, i) => [names[i], ...command.registeredArguments.map(argumentTerm)].join(" "));
  return full.join(", ").length > MAX_TERM_LENGTH ? names.join(", ") : full.join(", ");
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}
