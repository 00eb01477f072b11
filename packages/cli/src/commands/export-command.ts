import path from "node:path";
import process from "node:process";
import { type Command, Option } from "commander";
import { renderMemoriesMarkdown } from "throughline/memory";
import { atomicWrite, checkTarget } from "../data/atomic-write.ts";
import { type CommandOptions, findData } from "../data/open-data.ts";
import { withStoredMemory } from "../data/stored-memory.ts";
import { interruptible } from "../terminal/interruption.ts";
import { allProjectsOption, jsonOption, projectOption, refuseRenamed } from "../terminal/options.ts";
import { count, printJson, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

const FORMATS = ["json", "markdown"] as const;

interface ExportOptions extends CommandOptions {
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  readonly force?: boolean;
}

export function addExportCommand(program: Command): void {
  refuseRenamed(program.command("export"), { "--out <file>": "--output" })
    .summary("Export memories")
    .description(
      "Export memories, with archived ones, sources and journal: as JSON for `throughline import`, or as Markdown for " +
        "reading. Inside a repository, the memories of other projects are left out; a note on stderr says how many.",
    )
    .addOption(new Option("-f, --format <format>", "Output format").choices(FORMATS).default("json"))
    .option("-o, --output <file>", "Write to a file that only you can read, atomically")
    .option("--force", "Replace an existing file")
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline export --all-projects --output memories.json\n  throughline export --format markdown | less",
    )
    .action((_, command: Command) => exportMemories(command.optsWithGlobals()));
}

async function exportMemories(options: ExportOptions): Promise<void> {
  const { format, output: out, json, force = false } = options;
  if (json && out === undefined && format === "markdown") {
    throw new UsageError(
      "--json and --format markdown cannot be combined: both write to standard output.",
      "Write the Markdown to a file with --output.",
    );
  }
  if (force && out === undefined) throw new UsageError("--force requires --output.", "Name the file with --output.");
  if (out !== undefined) await checkTarget(out, force);
  const exported = await withStoredMemory(options, (memory) => memory.export());
  if (exported === undefined) {
    throw new UsageError(
      `No memories to export in ${findData(options).file}.`,
      "Add one: `throughline remember TEXT`.",
    );
  }
  const { memories, turns, contradictions } = exported;
  const text = format === "json" ? printJson(exported) : renderMemoriesMarkdown(memories, contradictions);
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await interruptible("Nothing was written.", (signal) => atomicWrite(out, text, { force, signal }));
  const amounts = { memories: memories.length, turns: turns.length, contradictions: contradictions.length };
  const file = path.resolve(out);
  printResult({ json }, { file, format, bytes: Buffer.byteLength(text), ...amounts }, () =>
    printWritten(file, amounts),
  );
}

type Amounts = Readonly<Record<"memories" | "turns" | "contradictions", number>>;

function printWritten(file: string, { memories, turns, contradictions }: Amounts): string {
  const parts = [count(memories, "memory", "memories"), count(turns, "turn"), count(contradictions, "contradiction")];
  return `Wrote ${parts.join(", ")} to ${file}.\n`;
}
