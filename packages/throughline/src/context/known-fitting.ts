import type { Fitting } from "../memory/service/recall-memories.ts";
import { Prefetched } from "./prefetched.ts";

const MAX_KEPT = 200;

/** What fits a text, looked for once until something is written: a session has its errors and its branch for a while. */
export class KnownFitting {
  readonly #kept = new Prefetched<Fitting>(MAX_KEPT);

  async find(text: string, revision: string, find: () => Promise<Fitting>): Promise<Fitting> {
    const found = await this.#kept.get(text, revision, find);
    // A better answer may be had once the embedder works again.
    if (found.byWordsAlone) this.#kept.drop(text);
    return found;
  }
}
