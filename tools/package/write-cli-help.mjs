import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cliFolder } from "../run/paths.mjs";

// Part of the build of the command line: `throughline --help` prints this file without loading the commands.
const dist = join(cliFolder, "dist");
const { createProgram } = await import(pathToFileURL(join(dist, "main.js")).href);
let help = "";
createProgram()
  .configureOutput({
    /** @param {string} text */
    writeOut: (text) => {
      help += text;
    },
    getOutHelpWidth: () => 80,
  })
  .outputHelp();
writeFileSync(join(dist, "help.txt"), help);
