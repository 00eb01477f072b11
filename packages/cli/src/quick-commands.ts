import { type AddCommand, baseProgram } from "./program/base-program.ts";
import { runProgram } from "./program/run-program.ts";
import type { QUICK_COMMAND_NAMES } from "./program/quick-command-names.ts";

/** The functions that add the commands, by name. */
export const QUICK_COMMANDS: Readonly<Record<(typeof QUICK_COMMAND_NAMES)[number], () => Promise<AddCommand>>> = {
  hook: async () => (await import("./hook/hook-command.ts")).addHookCommand,
  recall: async () => (await import("./commands/recall-command.ts")).addRecallCommand,
  remember: async () => (await import("./commands/remember-command.ts")).addRememberCommand,
  context: async () => (await import("./commands/context-command.ts")).addContextCommand,
  memories: async () => (await import("./commands/memories-command.ts")).addMemoriesCommand,
};

/** Runs one of the commands. Its name is the first argument. */
export function main(args: readonly [keyof typeof QUICK_COMMANDS, ...string[]]): Promise<number> {
  return runProgram(args, async () => baseProgram(await QUICK_COMMANDS[args[0]]()));
}

export { keepVocabularies } from "./program/keep-vocabularies.ts";
