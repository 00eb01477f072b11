/** How much of a text is looked at, unless its first line is longer. */
const ENOUGH = 256 * 1024;
/** How long a first line may be to be looked at as a whole. */
const MOST = 8 * 1024 * 1024;

/** Holds the beginning of a text back until there is enough of it to tell the format. */
export class TranscriptHead {
  text = "";
  #hasBegun = false;
  #hasLine = false;

  push(chunk: string): void {
    const said = this.#hasBegun ? chunk : chunk.trimStart();
    this.#hasBegun ||= said !== "";
    this.#hasLine ||= said.includes("\n");
    this.text += chunk;
  }

  get isEnough(): boolean {
    return this.text.length >= MOST || (this.#hasLine && this.text.length >= ENOUGH);
  }

  /** What the format is told from: the same, in whatever pieces the text came. */
  get sample(): string {
    const firstLine = this.text.indexOf("\n", this.text.search(/\S/));
    const wanted = firstLine < 0 ? MOST : Math.min(firstLine + 1, MOST);
    return this.text.slice(0, Math.max(ENOUGH, wanted));
  }
}
