import { type AddCommand, baseProgram } from "./base-program.ts";
import { runProgram } from "./run-program.ts";

/**
 * Commands that agents and scripts start again and again. The build puts them into one file together with the library,
 * because Node takes longer to find a hundred files than to run a search.
 */
export const OFTEN: Readonly<Record<string, () => Promise<AddCommand>>> = {
  hook: async () => (await import("./hook/hook-command.ts")).addHookCommand,
  recall: async () => (await import("./recall/recall-command.ts")).addRecallCommand,
  remember: async () => (await import("./remember/remember-command.ts")).addRememberCommand,
  context: async () => (await import("./context/context-command.ts")).addContextCommand,
  memories: async () => (await import("./memories/memories-command.ts")).addMemoriesCommand,
};

/** Runs one of the {@link OFTEN} commands. Its name is the first argument. */
export function main(args: readonly string[]): Promise<number> {
  return runProgram(args, async () => {
    const add = await OFTEN[args[0] ?? ""]?.();
    return baseProgram((program) => add?.(program));
  });
}
