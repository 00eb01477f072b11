import process from "node:process";
import type { WriteStream } from "node:tty";

/** Percentages at which a first result is shown without a terminal: the first tenth of a long history takes a while. */
const EARLY_STEPS = [1, 2, 5];

/**
 * Shows progress: on a terminal one updating line, otherwise a line every ten percent, and earlier ones if there are
 * results to show.
 */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #out: Pick<WriteStream, "write" | "isTTY">;
  readonly #note: () => string;
  #done = 0;
  #shown = 0;
  #lastNote = "";

  /**
   * @param total the total amount; 0 if unknown, and then nothing is shown
   * @param note a short text to show after the percentage, such as a first result
   */
  constructor(
    label: string,
    total: number,
    out: Pick<WriteStream, "write" | "isTTY"> = process.stderr,
    note: () => string = () => "",
  ) {
    this.#label = label;
    this.#total = total;
    this.#out = out;
    this.#note = note;
  }

  advance(amount: number): void {
    this.#done += amount;
    if (this.#total === 0) return;
    // A file may grow while it is read.
    const percent = Math.min(100, Math.floor((this.#done / this.#total) * 100));
    const step = this.#stepOf(percent);
    if (step <= this.#shown) return;
    const note = this.#note();
    if (EARLY_STEPS.includes(step) && !this.#out.isTTY && note === this.#lastNote) return;
    this.#lastNote = note;
    this.#shown = step;
    const text = `${this.#label}… ${this.#shown}%${note === "" ? "" : `  ${note}`}`;
    this.#out.write(this.#out.isTTY ? `\r${bar(this.#shown)} ${text}${this.#shown === 100 ? "\n" : ""}` : `${text}\n`);
  }

  /** The last step that a percentage has reached. */
  #stepOf(percent: number): number {
    if (this.#out.isTTY) return percent;
    return percent >= 10 ? percent - (percent % 10) : (EARLY_STEPS.findLast((step) => step <= percent) ?? 0);
  }

  /** Ends the line, so that other output can follow. */
  end(): void {
    if (this.#out.isTTY && this.#shown > 0 && this.#shown < 100) this.#out.write("\n");
  }
}

const BAR_LENGTH = 20;

function bar(percent: number): string {
  const done = Math.round((percent / 100) * BAR_LENGTH);
  return `${"█".repeat(done)}${"░".repeat(BAR_LENGTH - done)}`;
}
