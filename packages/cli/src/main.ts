/**
 * The command line, to run it from another program.
 *
 * @module
 * @example
 * process.exitCode = await main(["memories", "--json"]);
 */
export { createProgram } from "./program/create-program.ts";
export { main } from "./program/run.ts";
