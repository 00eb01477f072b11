import { type AddCommand, baseProgram } from "./base-program.ts";
import type { OFTEN_NAMES } from "./often-names.ts";
import { runProgram } from "./run-program.ts";

/** The functions that add the commands, by name. */
export const OFTEN: Readonly<Record<(typeof OFTEN_NAMES)[number], () => Promise<AddCommand>>> = {
  hook: async () => (await import("./hook/hook-command.ts")).addHookCommand,
  recall: async () => (await import("./recall/recall-command.ts")).addRecallCommand,
  remember: async () => (await import("./remember/remember-command.ts")).addRememberCommand,
  context: async () => (await import("./context/context-command.ts")).addContextCommand,
  memories: async () => (await import("./memories/memories-command.ts")).addMemoriesCommand,
};

/** Runs one of the commands. Its name is the first argument. */
export function main(args: readonly [keyof typeof OFTEN, ...string[]]): Promise<number> {
  return runProgram(args, async () => baseProgram(await OFTEN[args[0]]()));
}
