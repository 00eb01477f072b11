interface FileSystem {
  readFileSync(url: URL): Uint8Array;
}

interface Zlib {
  gunzipSync(bytes: Uint8Array): Uint8Array;
  inflateRawSync(bytes: Uint8Array, options: { readonly finishFlush: number; readonly chunkSize: number }): Uint8Array;
  readonly constants: { readonly Z_SYNC_FLUSH: number };
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

/** True if files of the package can be read synchronously from this address. */
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

/** Bytes that are read in parts. */
export interface ByteSource {
  readonly length: number;
  /** The bytes from `start` up to `end`. */
  read(start: number, end: number): Uint8Array;
}

/** The whole bytes as a source. */
export function byteSource(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Opens a file of the package. With a file system, its parts are decompressed when they are first read. */
export async function openPackagedFile(url: URL): Promise<ByteSource> {
  const zlib = runtime.process?.getBuiltinModule?.("node:zlib");
  const bytes = url.href.startsWith("file:") ? fileSystem()?.readFileSync(url) : undefined;
  const source = bytes && zlib && inflatedParts(bytes, zlib);
  return source ?? byteSource(await loadPackagedFile(url));
}

// Packaged files are gzip files of parts that can be decompressed by themselves, as in dictzip: the extra field `RA`
// has a version (1), the length of a part, the number of parts, and the compressed length of each (u16 each).
const EXTRA = { flag: 4, start: 12, fixed: 10 } as const;

/** Decompresses parts of a gzip file on demand; `undefined` if it does not list its parts. */
function inflatedParts(bytes: Uint8Array, zlib: Zlib): ByteSource | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isGzip(bytes) || bytes[3] !== EXTRA.flag || view.getUint16(EXTRA.start) !== 0x5241) return undefined;
  const number = (at: number): number => view.getUint16(EXTRA.start + 4 + 2 * at, true);
  const [partLength, count] = [number(1), number(2)];
  const length = view.getUint32(bytes.length - 4, true);
  const whole = new Uint8Array(length);
  const isRead = new Uint8Array(count);
  const starts = new Uint32Array(count + 1);
  starts[0] = EXTRA.start + EXTRA.fixed + 2 * count;
  for (let part = 0; part < count; part += 1) starts[part + 1] = (starts[part] as number) + number(3 + part);
  const finishFlush = zlib.constants.Z_SYNC_FLUSH;
  const readParts = (from: number, to: number): void => {
    const compressed = bytes.subarray(starts[from], starts[to]);
    const chunkSize = (to - from) * partLength;
    whole.set(zlib.inflateRawSync(compressed, { finishFlush, chunkSize }), from * partLength);
    isRead.fill(1, from, to);
  };
  return {
    length,
    read: (start, end) => {
      const last = Math.ceil(end / partLength);
      for (let part = Math.floor(start / partLength); part < last; part += 1) {
        if (isRead[part] === 1) continue;
        // Consecutive parts are decompressed as one stream, because a call of zlib takes longer than a part.
        const next = isRead.indexOf(1, part);
        readParts(part, next < 0 || next > last ? last : next);
      }
      return whole.subarray(start, end);
    },
  };
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
