import { digest } from "../../../internal/digest.ts";
import { isRecord } from "../../../internal/json.ts";
import type { DocumentStore } from "../../../ports/document-store.ts";
import type { FileFacts } from "../code-unit.ts";

/** What was read of a file, and of which content. Nothing was where it could not be parsed. */
export interface KnownFile {
  readonly digest: string;
  readonly facts: FileFacts | null;
}

export type FactPage = Readonly<Record<string, KnownFile>>;

/** Raised when files are read in another way: what was read before is read again. */
const VERSION = 1;
/** So many documents hold what is known of a project: few enough to read all, and small enough to write one often. */
const PAGES = 32;
const TRIES = 20;

/** What is known of a project's files, in pages, so that what was read is kept page by page. */
export class FactBook {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #prefix: string;

  constructor(documents: DocumentStore, space: string, prefix: string) {
    this.#documents = documents;
    this.#space = space;
    this.#prefix = `${prefix}files/`;
  }

  /** Files by the page that they belong on. */
  static pagesOf(files: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const empty = Array.from({ length: PAGES }, (_, page) => [page, [] as readonly string[]] as const);
    return new Map([...empty, ...Map.groupBy(files, pageOf)]);
  }

  async read(page: number): Promise<FactPage> {
    return parse((await this.#documents.get(this.#space, this.#nameOf(page)))?.value);
  }

  /** Writes a page whole: whoever else reads the same project finds the same in it. */
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
  // Nobody else writes it, and another version is left aside.
  return isOurs ? (value.files as FactPage) : {};
}
