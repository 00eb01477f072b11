import { type Argument, Command, type Help } from "commander";
import packageJson from "../../package.json" with { type: "json" };

/** Adds one command to a program. */
export type AddCommand = (program: Command) => void;

const HELP_FOOTER = "\nRun `throughline COMMAND --help` for details; --data selects a data folder.";

/** The program with the commands that `add` defines. */
export function baseProgram(add: AddCommand): Command {
  const program: Command = new Command("throughline")
    .description("Fit long AI sessions into the context window, and remember across sessions.")
    .usage("[--data <folder>] [command]")
    .option("--data <folder>", "Folder of the data (default: THROUGHLINE_DATA, or your platform's data folder)")
    .version(packageJson.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print help")
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === "--data"),
    })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "throughline: ")) })
    .showSuggestionAfterError()
    .hook("preAction", async (_, command) => {
      // A hook resolves it itself, because an invalid setting must not stop the agent.
      if (command.name() === "hook") return;
      const { resolveProjectOption } = await import("../config/resolve-project-option.ts");
      await resolveProjectOption(command);
    })
    .exitOverride();
  add(program);
  pointToHelp(program, program.name());
  // After the commands, which would inherit this layout.
  return program.configureHelp(overview()).addHelpText("after", HELP_FOOTER);
}

/** Errors of a command refer to the help of that command. */
function pointToHelp(command: Command, line: string): void {
  command.showHelpAfterError(`See \`${line} --help\`.`);
  for (const one of command.commands) pointToHelp(one, `${line} ${one.name()}`);
}

/** Commands that share a line, so that the overview fits a screen. */
const SHARED_LINES: Readonly<Record<string, readonly string[]>> = {
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
const SHORT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  import: "Import histories or memories; learn from code",
  recall: "Search memories; show what an agent gets",
};

/** Longer terms are shown without arguments. */
const MAX_TERM_LENGTH = 27;

/** The layout of the command overview. */
function overview(): Partial<Help> {
  const hidden = new Set([...Object.values(SHARED_LINES).flat(), ...UNLISTED]);
  return {
    visibleOptions: () => [],
    visibleCommands: (program) => program.commands.filter((command) => !hidden.has(command.name())),
    subcommandTerm: (command) => termOf(withPartners(command)),
    subcommandDescription: (command) =>
      SHORT_DESCRIPTIONS[command.name()] ??
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
  const names = SHARED_LINES[command.name()] ?? [];
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
