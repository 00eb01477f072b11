import process from "node:process";
import type { WriteStream } from "node:tty";

/** Says how far some work is: on a terminal one line that updates, else a line every ten percent. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #out: Pick<WriteStream, "write" | "isTTY">;
  #done = 0;
  #told = 0;

  /** @param total of whatever is counted; 0 where it is not known, and then nothing is said */
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
    if (percent < this.#told + step) return;
    this.#told = percent - (percent % step);
    const line = `${this.#label}… ${this.#told}%`;
    this.#out.write(this.#out.isTTY ? `\r${line}${this.#told === 100 ? "\n" : ""}` : `${line}\n`);
  }

  /** Leaves the line, so that something else can be said. */
  end(): void {
    if (this.#out.isTTY && this.#told > 0 && this.#told < 100) this.#out.write("\n");
  }
}
