/** Parses the data of server-sent events from bytes. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #data: string[] = [];

  /** The data of each event that is complete now. */
  push(bytes: Uint8Array): string[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const events: string[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#rest);
      if (end === null) return events;
      this.#line(this.#rest.slice(0, end.index), events);
      this.#rest = this.#rest.slice(end.index + end[0].length);
    }
  }

  #line(line: string, events: string[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push(this.#data.join("\n"));
      this.#data = [];
    } else if (line.startsWith("data:")) {
      this.#data.push(line.slice("data:".length).replace(/^ /, ""));
    }
  }
}
