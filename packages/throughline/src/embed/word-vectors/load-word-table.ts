import { EmbedderError } from "../../errors/embedder-error.ts";
import { messageOf } from "../../internal/message-of.ts";
import { openPackagedFile } from "../../internal/packaged-file.ts";
import { readWordTable, type WordTable } from "./word-table.ts";

/** Milliseconds before the word vectors are requested again after a failure. */
const RETRY_DELAY = 60_000;

let loading: Promise<WordTable> | undefined;
let failure: { readonly error: EmbedderError; readonly at: number } | undefined;

/** Loads the packaged table on first use, once per process. After a failure it is retried at most once a minute. */
export function loadWordTable(): Promise<WordTable> {
  if (failure !== undefined && Date.now() - failure.at < RETRY_DELAY) return Promise.reject(failure.error);
  loading ??= load().catch((cause: unknown) => {
    loading = undefined;
    const error = new EmbedderError("missing-words", `Could not read the word vectors: ${messageOf(cause)}`, { cause });
    failure = { error, at: Date.now() };
    throw error;
  });
  return loading;
}

async function load(): Promise<WordTable> {
  // A literal, so that bundlers for browsers find the file and include it.
  const url = new URL("./word-vectors.bin", (import.meta as { readonly url: string }).url);
  return readWordTable(await openPackagedFile(url));
}
