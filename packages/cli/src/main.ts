/**
 * The command line, to run it from another program.
 *
 * @module
 * @example
 * process.exitCode = await main(["memories", "--json"]);
 */
export { createProgram } from "./create-program.ts";
export { main } from "./run.ts";
