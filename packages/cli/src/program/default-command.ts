import type { Command } from "commander";

/**
 * Inserts the default command: `throughline`, `throughline --port 5000`. Not commander's own default, which would pass
 * a misspelled command to `serve` as an argument.
 */
export function withDefaultCommand(program: Command, args: readonly string[]): readonly string[] {
  const own = dataArguments(args);
  const next = args[own];
  const isServe = next === undefined || (next.startsWith("-") && !isKnown(program, next));
  return isServe ? [...args.slice(0, own), "serve", ...args.slice(own)] : args;
}

/** Number of leading arguments that set the data folder. */
export function dataArguments(args: readonly string[]): number {
  if (args[0]?.startsWith("--data=")) return 1;
  return args[0] === "--data" && args.length > 1 ? 2 : 0;
}

function isKnown(program: Command, flag: string): boolean {
  return ["-h", "--help", ...program.options.flatMap(({ short, long }) => [short, long])].includes(flag);
}
