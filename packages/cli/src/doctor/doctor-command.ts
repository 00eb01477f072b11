import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData } from "../data/open-data.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { examineData } from "./examine-data.ts";
import { printExamination } from "./print-examination.ts";

interface DoctorOptions extends DataOptions {
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .summary("Check the data")
    .description("Check the data and the jobs of the server, and print where the data is. Changes nothing.")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExits with 1 if it finds a problem, such as a job that failed for good.\n\nExample:\n  throughline doctor",
    )
    .action((_, command: Command) => doctor(command.optsWithGlobals()));
}

async function doctor(options: DoctorOptions): Promise<void> {
  const { exists, ...place } = findData(options);
  const found = await examineData(place, exists);
  process.stdout.write(options.json ? printJson(found) : printExamination(found));
  if (found.problems.length > 0) process.exitCode = EXIT.failed;
}
