import { EmbedderError } from "../../errors/embedder-error.ts";
import { readWordTable, type WordTable } from "./word-table.ts";

/** What Node, Deno and Bun have and browsers have not. */
interface Process {
  getBuiltinModule?(name: "node:fs/promises"): { readFile(url: URL): Promise<Uint8Array> } | undefined;
}

interface Fetched {
  readonly ok: boolean;
  readonly status: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface Runtime {
  readonly process?: Process;
  fetch?(url: string): Promise<Fetched>;
}

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
  return readWordTable(await read(url, globalThis as Runtime));
}

async function read(url: URL, runtime: Runtime): Promise<Uint8Array> {
  const files = url.href.startsWith("file:") ? runtime.process?.getBuiltinModule?.("node:fs/promises") : undefined;
  if (files !== undefined) return files.readFile(url);
  if (runtime.fetch === undefined) throw new TypeError(`This runtime can read neither files nor ${url.href}.`);
  const reply = await runtime.fetch(url.href);
  if (!reply.ok) throw new TypeError(`${url.href} answered with ${reply.status}.`);
  return new Uint8Array(await reply.arrayBuffer());
}
