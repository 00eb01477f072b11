interface FileSystem {
  readFileSync(url: URL): Uint8Array;
}

interface Zlib {
  gunzipSync(bytes: Uint8Array): Uint8Array;
}

/** Globals of Node, Deno and Bun that browsers lack, and of browsers that some runtimes lack. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: "node:fs"): FileSystem | undefined;
    getBuiltinModule?(name: "node:zlib"): Zlib | undefined;
  };
  fetch?(url: string): Promise<{
    readonly ok: boolean;
    readonly status: number;
    arrayBuffer(): Promise<ArrayBuffer>;
  }>;
  readonly DecompressionStream?: new (format: "gzip") => unknown;
  readonly Blob?: new (parts: readonly Uint8Array[]) => { stream(): { pipeThrough(transform: unknown): unknown } };
  readonly Response?: new (body: unknown) => { arrayBuffer(): Promise<ArrayBuffer> };
}

const runtime: Runtime = globalThis as object;

/** Whether files of the package can be read synchronously from this address. */
export function canReadPackagedFile(url: string | undefined): boolean {
  return url?.startsWith("file:") === true && fileSystem() !== undefined;
}

function fileSystem(): FileSystem | undefined {
  return runtime.process?.getBuiltinModule?.("node:fs");
}

/** Reads a file of the package synchronously; `undefined` if the runtime has no file system. */
export function readPackagedFile(url: URL): Uint8Array | undefined {
  const bytes = url.href.startsWith("file:") ? fileSystem()?.readFileSync(url) : undefined;
  if (bytes === undefined || !isGzip(bytes)) return bytes;
  return runtime.process?.getBuiltinModule?.("node:zlib")?.gunzipSync(bytes);
}

/** Reads a file of the package, or fetches it if the runtime has no file system. */
export async function loadPackagedFile(url: URL): Promise<Uint8Array> {
  const read = readPackagedFile(url);
  if (read !== undefined) return read;
  const { fetch } = runtime;
  if (fetch === undefined) throw new TypeError(`This runtime can neither read nor fetch ${url.href}.`);
  const reply = await fetch(url.href);
  if (!reply.ok) throw new TypeError(`Fetching ${url.href} failed with status ${reply.status}.`);
  return unzipped(new Uint8Array(await reply.arrayBuffer()));
}

/** Decompresses gzip bytes; other bytes are returned unchanged. */
export async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(bytes)) return bytes;
  const { Blob, DecompressionStream, Response } = runtime;
  if (Blob === undefined || DecompressionStream === undefined || Response === undefined) {
    throw new TypeError("This runtime cannot read gzip: pass the decompressed bytes.");
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** True if the bytes start like a gzip file. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
