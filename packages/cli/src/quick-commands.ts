import { useVocabularyCache } from "throughline/internal/util";
import { type AddCommand, baseProgram } from "./program/base-program.ts";
import { type QUICK_COMMAND_NAMES, readOwnFile, writeWhole } from "./program/load-quick-commands.ts";
import { runProgram } from "./program/run-program.ts";

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

/**
 * Keeps the tables of tokens in files, because they take longer to build than to read.
 *
 * @param prefix Path of the files up to the name of the encoding. It has to change with the version of the program.
 */
export function keepVocabularies(prefix: string): void {
  const fs = process.getBuiltinModule("node:fs");
  useVocabularyCache({
    load: (encoding) => {
      const bytes = readOwnFile(fs, `${prefix}-${encoding}`);
      return bytes && new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    },
    store: (encoding, { buffer }) => writeWhole(fs, `${prefix}-${encoding}`, new Uint8Array(buffer)),
  });
}
