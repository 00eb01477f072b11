import { EmbedderError } from "../../errors/embedder-error.ts";
import { loadPackagedFile } from "../../internal/packaged-file.ts";
import { readWordTable, type WordTable } from "./word-table.ts";

let loading: Promise<WordTable> | undefined;

/** The table that ships with the package, read once per process and only when it is needed. */
export function loadWordTable(): Promise<WordTable> {
  loading ??= load().catch((cause: unknown) => {
    // A failure is not kept: the next call tries again.
    loading = undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EmbedderError("missing-words", `The word vectors could not be read: ${why}`, { cause });
  });
  return loading;
}

async function load(): Promise<WordTable> {
  // Written out like this, bundlers for browsers find the file and take it along.
  const url = new URL("./word-vectors.bin", (import.meta as { readonly url: string }).url);
  return readWordTable(await loadPackagedFile(url));
}
