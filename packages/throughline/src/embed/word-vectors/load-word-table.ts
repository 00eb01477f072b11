import { EmbedderError } from "../../errors/embedder-error.ts";
import { loadPackagedFile } from "../../internal/packaged-file.ts";
import { readWordTable, type WordTable } from "./word-table.ts";

/** Milliseconds before the word vectors are requested again after a failure. */
const RETRY_DELAY = 60_000;

let loading: Promise<WordTable> | undefined;
let failure: { readonly error: EmbedderError; readonly at: number } | undefined;

/** The table that ships with the package: read once per process when it is first needed, at most once a minute if it fails. */
export function loadWordTable(): Promise<WordTable> {
  if (failure !== undefined && Date.now() - failure.at < RETRY_DELAY) return Promise.reject(failure.error);
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    const why = cause instanceof Error ? cause.message : String(cause);
    const error = new EmbedderError("missing-words", `The word vectors could not be read: ${why}`, { cause });
    failure = { error, at: Date.now() };
    throw error;
  });
  return loading;
}

async function load(): Promise<WordTable> {
  // Written out like this, bundlers for browsers find the file and take it along.
  const url = new URL("./word-vectors.bin", (import.meta as { readonly url: string }).url);
  return readWordTable(await loadPackagedFile(url));
}
