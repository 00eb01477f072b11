import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { overview } from "./help-overview.ts";

/** Adds one command to a program. */
export type AddCommand = (program: Command) => void;

const HELP_FOOTER = "\nRun `throughline COMMAND --help` for details; --data selects a data folder.";

/** The program with the commands that `add` defines. */
export function baseProgram(add: AddCommand): Command {
  const program: Command = new Command("throughline")
    .description("Fit long AI sessions into the context window, and remember across sessions.")
    .usage("[--data <folder>] [command]")
    .option("--data <folder>", "Folder that holds the data (default: THROUGHLINE_DATA, or your platform's data folder)")
    .version(packageJson.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Print help")
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => program.options.filter(({ long }) => long === "--data"),
    })
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
