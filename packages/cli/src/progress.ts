import process from "node:process";
import type { WriteStream } from "node:tty";

/** Shows progress: on a terminal one updating line, otherwise a line every ten percent. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #out: Pick<WriteStream, "write" | "isTTY">;
  #done = 0;
  #shown = 0;

  /** @param total the total amount; 0 if unknown, and then nothing is shown */
  constructor(label: string, total: number, out: Pick<WriteStream, "write" | "isTTY"> = process.stderr) {
    this.#label = label;
    this.#total = total;
    this.#out = out;
  }

  advance(amount: number): void {
    this.#done += amount;
    if (this.#total === 0) return;
    // A file may grow while it is read.
    const percent = Math.min(100, Math.floor((this.#done / this.#total) * 100));
    const step = this.#out.isTTY ? 1 : 10;
    if (percent < this.#shown + step) return;
    this.#shown = percent - (percent % step);
    const line = `${this.#label}… ${this.#shown}%`;
    this.#out.write(this.#out.isTTY ? `\r${line}${this.#shown === 100 ? "\n" : ""}` : `${line}\n`);
  }

  /** Ends the line, so that other output can follow. */
  end(): void {
    if (this.#out.isTTY && this.#shown > 0 && this.#shown < 100) this.#out.write("\n");
  }
}
