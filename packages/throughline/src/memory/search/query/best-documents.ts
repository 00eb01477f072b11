/** Keeps the documents with the highest scores that are offered to it: a binary heap with the lowest at the top. */
export class BestDocuments {
  readonly #capacity: number;
  readonly #scores: Float64Array;
  readonly #documents: Uint32Array;
  readonly #places: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#documents = new Uint32Array(capacity);
    this.#places = new Uint32Array(capacity);
  }

  /** A score must be higher to be kept. */
  get least(): number {
    return this.#size < this.#capacity ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  /** `place` is the position of the document's index. */
  offer(place: number, document: number, score: number): void {
    if (!(score > this.least)) return;
    if (this.#size < this.#capacity) {
      this.#size += 1;
      this.#rise(place, document, score);
    } else this.#sink(place, document, score);
  }

  /** True if it keeps as many documents as it can. */
  get isFull(): boolean {
    return this.#size === this.#capacity;
  }

  /** The kept documents of an index, in no order. */
  of(place: number): Uint32Array {
    const own = new Uint32Array(this.#size);
    let count = 0;
    for (let at = 0; at < this.#size; at += 1) {
      if (this.#places[at] !== place) continue;
      own[count] = this.#documents[at] as number;
      count += 1;
    }
    return own.subarray(0, count);
  }

  #rise(place: number, document: number, score: number): void {
    let at = this.#size - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#scores[parent] as number) <= score) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, place, document, score);
  }

  #sink(place: number, document: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#scores[child + 1] as number) < (this.#scores[child] as number)) child += 1;
      if ((this.#scores[child] as number) >= score) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, place, document, score);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#places[from] as number, this.#documents[from] as number, this.#scores[from] as number);
  }

  #set(at: number, place: number, document: number, score: number): void {
    this.#places[at] = place;
    this.#documents[at] = document;
    this.#scores[at] = score;
  }
}
