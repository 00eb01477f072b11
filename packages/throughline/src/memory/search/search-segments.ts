import type { SearchEntry } from "../../ports/memory-store.ts";
import type { BlobStore, StoredBlob } from "../../ports/store.ts";
import { ColumnReader, ColumnWriter } from "./index/columns.ts";
import { SearchIndex } from "./search-index.ts";

// Segments are blobs of a space that contain its search entries up to a revision: a first one with a packed index, and
// pages with the entries of later revisions. The stored entries remain the source; segments can be made again from them.

/** Changes with the format of the segments; others are ignored and removed. */
const PREFIX = "search/2/";
/** Bytes per blob. */
const PART = 64 * 1024 * 1024;

/** Revisions whose entries a segment contains: after `from`, up to `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Segment extends Range {
  readonly names: readonly string[];
}

/** An index read from segments. */
export interface LoadedIndex {
  readonly index: SearchIndex;
  /** The revision up to which it is complete. */
  readonly revision: number;
  readonly baseSize: number;
  readonly sinceBase: number;
}

/** The segments of one space for one embedder. */
export class SearchSegments {
  readonly #blobs: BlobStore;
  readonly #space: string;
  readonly #embedder: string;
  readonly #prefix: string;

  constructor(blobs: BlobStore, space: string, embedder: string) {
    this.#blobs = blobs;
    this.#space = space;
    this.#embedder = embedder;
    this.#prefix = `${PREFIX}${encodeURIComponent(embedder.toWellFormed())}/`;
  }

  /** Reads the index up to the last segment, at most up to `revision`; `undefined` if there are none. */
  async load(revision: number): Promise<LoadedIndex | undefined> {
    const blobs = new Map(
      (await this.#blobs.get(this.#space, { prefix: this.#prefix })).map(({ name, bytes }) => [name, bytes]),
    );
    const [base, ...pages] = chain([...blobs.keys()], this.#prefix, revision);
    if (base === undefined) return undefined;
    const [packed, ...entries] = [base, ...pages].map(({ names }) =>
      join(names.flatMap((name) => blobs.get(name) ?? [])),
    );
    const index = SearchIndex.unpack(packed as Uint8Array<ArrayBuffer>);
    const baseSize = index.size;
    let sinceBase = 0;
    for (const page of entries) {
      for (const entry of readPage(page, this.#embedder)) {
        index.put(entry, this.#embedder);
        sinceBase += 1;
      }
    }
    return { index, revision: (pages.at(-1) ?? base).to, baseSize, sinceBase };
  }

  /** Writes the whole index as the only segment. Returns `false` if entries were erased since `epoch`. */
  async writeBase(index: SearchIndex, revision: number, epoch: number): Promise<boolean> {
    const packed = await index.lock.change(() => index.pack());
    const blobs = this.#parts({ from: 0, to: revision }, packed);
    const old = await this.#blobs.list(this.#space, "search/");
    return this.#blobs.put(this.#space, { epoch, blobs, remove: old });
  }

  /** Writes a page. Returns `false` if entries were erased since `epoch`. */
  writePage(entries: readonly SearchEntry[], range: Range, epoch: number): Promise<boolean> {
    const blobs = this.#parts(range, packPage(entries, this.#embedder));
    return this.#blobs.put(this.#space, { epoch, blobs });
  }

  #parts({ from, to }: Range, bytes: Uint8Array): StoredBlob[] {
    const count = Math.ceil(bytes.length / PART);
    return Array.from({ length: count }, (_, part) => ({
      name: `${this.#prefix}${from}-${to}/${part}-${count}`,
      bytes: bytes.subarray(part * PART, (part + 1) * PART),
    }));
  }
}

/** One array. A single part is returned as it is, because stores return blobs as copies. */
function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0] as Uint8Array<ArrayBuffer>;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Complete segments that follow each other, from the first revision on. Concurrent writers may leave others. */
function chain(names: readonly string[], prefix: string, revision: number): readonly Segment[] {
  const segments = [...Map.groupBy(names, (name) => name.slice(prefix.length).split("/")[0] ?? "")]
    .map(([range, parts]) => readSegment(range, parts))
    .filter((segment) => segment !== undefined && segment.to <= revision) as Segment[];
  const found: Segment[] = [];
  for (let at = 0; ; ) {
    const next = segments.filter(({ from, to }) => from === at && to > at).sort((a, b) => b.to - a.to)[0];
    if (next === undefined) return found;
    found.push(next);
    at = next.to;
  }
}

function readSegment(range: string, names: readonly string[]): Segment | undefined {
  const [from = Number.NaN, to = Number.NaN] = range.split("-").map(Number);
  const part = (name: string): readonly number[] => (name.split("/").at(-1) ?? "").split("-").map(Number);
  const ordered = [...names].sort((a, b) => (part(a)[0] ?? 0) - (part(b)[0] ?? 0));
  const count = part(ordered[0] ?? "")[1];
  return Number.isInteger(from) && Number.isInteger(to) && count === names.length
    ? { from, to, names: ordered }
    : undefined;
}

/** Entries as bytes. Vectors of other embedders are left out. */
function packPage(entries: readonly SearchEntry[], embedder: string): Uint8Array {
  const vectors = entries.map((entry) => (entry.embedder === embedder ? entry.vector : undefined) ?? new Uint8Array());
  const writer = new ColumnWriter();
  writer.addTexts(entries.map(({ id }) => id));
  for (const list of [entries.map(({ entry }) => entry), vectors]) {
    writer.add(Uint32Array.from(list, ({ length }) => length));
    writer.add(join(list));
  }
  return writer.bytes();
}

function* readPage(bytes: Uint8Array<ArrayBuffer>, embedder: string): Generator<SearchEntry> {
  const reader = new ColumnReader(bytes);
  const ids = reader.texts();
  const [entryLengths, entries] = [reader.next(Uint32Array), reader.next(Uint8Array)];
  const [vectorLengths, vectors] = [reader.next(Uint32Array), reader.next(Uint8Array)];
  let [entryAt, vectorAt] = [0, 0];
  for (const [at, id] of ids.entries()) {
    const entry = entries.subarray(entryAt, entryAt + (entryLengths[at] as number));
    const vector = vectors.subarray(vectorAt, vectorAt + (vectorLengths[at] as number));
    entryAt += entry.length;
    vectorAt += vector.length;
    yield vector.length === 0 ? { id, entry } : { id, entry, embedder, vector };
  }
}
