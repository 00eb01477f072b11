/** Maximum time between two copies of an unfinished answer, in milliseconds. */
const MAX_PAUSE = 400;
/** Characters that are written per millisecond. Each word of a short answer is saved before it is shown. */
const WRITTEN_PER_MS = 50;

interface AnswerPorts {
  readonly show: (text: string, reasoning: string) => void;
  readonly save: (text: string, reasoning: string) => void;
}

/** Shows an answer while it is written, at most once per frame, and saves copies: the longer it is, the fewer. */
export class AnswerInProgress {
  readonly #ports: AnswerPorts;
  #latest: readonly [text: string, reasoning: string] = ["", ""];
  #frame: number | undefined;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saving: ReturnType<typeof setTimeout> | undefined;
  readonly #save = () => {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    this.#savedAt = performance.now();
    this.#ports.save(...this.#latest);
  };

  constructor(ports: AnswerPorts) {
    this.#ports = ports;
    globalThis.addEventListener?.("pagehide", this.#save);
  }

  note(text: string, reasoning: string): void {
    this.#latest = [text, reasoning];
    // Pages in the background get no animation frames.
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#ports.show(...this.#latest);
    });
    const pause = Math.min(MAX_PAUSE, (text.length + reasoning.length) / WRITTEN_PER_MS);
    const wait = this.#savedAt + pause - performance.now();
    if (wait <= 0) this.#save();
    else this.#saving ??= setTimeout(this.#save, wait);
  }

  /** Ends the display. The last copy stays until the answer itself is stored: the page may be closing right now. */
  end(): void {
    this.#save();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    globalThis.removeEventListener?.("pagehide", this.#save);
  }
}
