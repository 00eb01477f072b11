import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData } from "../data/open-data.ts";
import { EXIT } from "../program/exit-codes.ts";
import { count } from "../terminal/print-values.ts";
import { jsonOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { examineAgents } from "./examine-agents.ts";
import { type Examination, examineData } from "./examine-data.ts";
import { examineInference, type InferenceFindings } from "./examine-inference.ts";
import { printExamination } from "./print-examination.ts";

interface DoctorOptions extends DataOptions {
  readonly json?: boolean;
}

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .summary("Check the data")
    .description(
      "Check the data, the jobs of the server, the setup of coding agents, and whether the configured model and embedder answer. Print where the data is. Changes nothing.",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExits with 1 if it finds a problem, such as a job that failed permanently.\n\nExample:\n  throughline doctor",
    )
    .action((_, command: Command) => doctor(command.optsWithGlobals()));
}

async function doctor(options: DoctorOptions): Promise<void> {
  const { exists, ...place } = findData(options);
  const [data, inference, agents] = await Promise.all([
    examineData(place, exists),
    examineInference(),
    examineAgents(options),
  ]);
  const problems = [...data.problems, ...inference.problems, ...otherVectors(data, inference), ...agents.problems];
  const found = { ...data, ...inference, ...agents, problems };
  process.stdout.write(options.json ? printJson(found) : printExamination(found));
  if (found.problems.length > 0) process.exitCode = EXIT.failed;
}

/** Vectors of other embedders are not searched. */
function otherVectors({ vectors }: Examination, { embedderName }: InferenceFindings): readonly string[] {
  const others = Object.entries(vectors).filter(([name]) => name !== embedderName);
  const total = others.reduce((sum, [, amount]) => sum + amount, 0);
  if (total === 0) return [];
  const names = others.map(([name]) => printableLine(name)).join(", ");
  return [
    `${count(total, "memory or utterance has", "memories and utterances have")} a vector of another embedder (${names}): ` +
      "search finds them by words. Make new ones: throughline reembed",
  ];
}
