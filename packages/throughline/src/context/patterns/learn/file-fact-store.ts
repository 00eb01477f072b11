import { digest } from "../../../internal/digest.ts";
import { isRecord } from "../../../internal/json.ts";
import type { DocumentStore } from "../../../ports/document-store.ts";
import type { FileFacts } from "../code-unit.ts";

/** Facts about a file, with the digest of its content. `null` if it could not be parsed. */
export interface KnownFile {
  readonly digest: string;
  readonly facts: FileFacts | null;
}

export type FactPage = Readonly<Record<string, KnownFile>>;

/** Version of the reader. A new version reads all files again. */
const VERSION = 2;
/** Number of documents per project: few enough to read all, and small enough to write often. */
const PAGES = 32;
const TRIES = 20;

/** Stored facts about a project's files, in pages, so that an aborted run keeps the pages it has read. */
export class FileFactStore {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #prefix: string;

  constructor(documents: DocumentStore, space: string, prefix: string) {
    this.#documents = documents;
    this.#space = space;
    this.#prefix = `${prefix}files/`;
  }

  /** Files by page number. */
  static pagesOf(files: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const empty = Array.from({ length: PAGES }, (_, page) => [page, [] as readonly string[]] as const);
    return new Map([...empty, ...Map.groupBy(files, pageOf)]);
  }

  async read(page: number): Promise<FactPage> {
    return parse((await this.#documents.get(this.#space, this.#nameOf(page)))?.value);
  }

  /** Replaces a page. Concurrent writers have the same content, because they read the same project. */
  async write(page: number, files: FactPage): Promise<void> {
    const name = this.#nameOf(page);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { revision = 0 } = (await this.#documents.get(this.#space, name)) ?? {};
      if (await this.#documents.put(this.#space, name, { revision, value: { version: VERSION, files } })) return;
    }
  }

  #nameOf(page: number): string {
    return this.#prefix + String(page).padStart(2, "0");
  }
}

function pageOf(file: string): number {
  return Number.parseInt(digest(file).slice(-4), 16) % PAGES;
}

function parse(value: unknown): FactPage {
  const isOurs = isRecord(value) && value.version === VERSION && isRecord(value.files);
  // Only this class writes it. Other versions are ignored.
  return isOurs ? (value.files as FactPage) : {};
}
