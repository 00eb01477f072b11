import process from "node:process";
import type { Command } from "commander";
import { wordEmbedder } from "throughline";
import { recordEmbedder } from "../data/inference.ts";
import { type CommandOptions, USER_SPACE } from "../data/open-data.ts";
import { nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { interruptible } from "../terminal/interruption.ts";
import { jsonOption } from "../terminal/options.ts";
import { count, printResult } from "../terminal/print-values.ts";

const HELP_FOOTER = `
To use an embedding model of an OpenAI-compatible API, set both:
  THROUGHLINE_EMBEDDER_URL    base URL, such as http://127.0.0.1:11434/v1
  THROUGHLINE_EMBEDDER_MODEL  name of the model, such as nomic-embed-text
Without them, the embedder of the package is used. A server computes missing
vectors itself. Until then, search finds these memories by words only.

Example:
  throughline reembed`;

export function addReembedCommand(program: Command): void {
  program
    .command("reembed")
    .summary("Compute vectors")
    .description("Compute the missing vectors of memories. Run it after you change the embedder.")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((_, command: Command) => reembed(command.optsWithGlobals()));
}

const STOPPED = "Finished batches are stored; run the same command again for the rest.";

async function reembed(options: CommandOptions): Promise<void> {
  const done = await withStoredMemory({ ...options, reembeds: true }, (memory, { store, inference }) =>
    interruptible(STOPPED, async (signal) => {
      const { name } = inference.embedder ?? wordEmbedder();
      const { embedded } = await memory.reembed({
        signal,
        onProgress: (progress) => process.stderr.write(`${count(progress.embedded, "vector")} computed.\n`),
      });
      signal.throwIfAborted();
      await recordEmbedder(store.documents, USER_SPACE, name);
      return { embedder: name, embedded };
    }),
  );
  printResult(options, done ?? { embedder: null, embedded: 0 }, () =>
    done === undefined
      ? nothingRemembered(options)
      : `Computed ${count(done.embedded, "vector")} with ${done.embedder}; every memory has a vector.\n`,
  );
}
