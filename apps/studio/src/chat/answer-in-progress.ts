/** Time between two copies of an unfinished answer, in milliseconds. */
const SAVE_EVERY = 400;

interface AnswerPorts {
  readonly show: (text: string, reasoning: string) => void;
  readonly save: (text: string, reasoning: string) => void;
}

/** Shows an answer while it is written, at most once per frame, and saves a copy at intervals. */
export class AnswerInProgress {
  readonly #ports: AnswerPorts;
  #latest: readonly [text: string, reasoning: string] = ["", ""];
  #frame: number | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;
  readonly #onLeave = () => this.#ports.save(...this.#latest);

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
    globalThis.addEventListener?.("pagehide", this.#onLeave);
  }

  note(text: string, reasoning: string): void {
    this.#latest = [text, reasoning];
    // A page in the background draws no frames.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#ports.show(...this.#latest);
    });
    const now = performance.now();
    if (now - this.#savedAt < SAVE_EVERY) return;
    this.#savedAt = now;
    this.#ports.save(...this.#latest);
  }

  /** Ends the display. The last copy stays until the answer itself is stored: the page may be closing right now. */
  end(): void {
    this.#ports.save(...this.#latest);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    globalThis.removeEventListener?.("pagehide", this.#onLeave);
  }
}
