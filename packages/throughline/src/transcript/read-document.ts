import type { RecordPlace } from "./transcript.ts";

type Path = RecordPlace["path"];

/** An object or list that the text is inside of. */
interface Level {
  readonly isList: boolean;
  /** Key or index of its current entry. */
  key: string | number;
}

/** A part of the text that is collected because its value or its key is needed. */
interface Capture {
  /** Depth of the value; a key has none. */
  readonly depth: number;
  /** Its text in the chunks before. */
  readonly pieces: string[];
  /** Its beginning in the current chunk. */
  from: number;
}

type Expected = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";
type Token = "none" | "string" | "key" | "scalar";

const MORE = "there is more text after the end of the document";

/**
 * Reads a JSON document in chunks and reports the values at some paths, each as soon as it is complete. Everything else
 * is checked for its structure and not kept.
 *
 * @param paths such as `$.messages.*`: `$` is the document, `*` any key or index
 * @param onValue gets a value and its place
 * @param onBroken gets the number of the value that could not be read; called at most once
 */
export function createDocumentSplitter(
  paths: readonly string[],
  onValue: (value: unknown, place: RecordPlace) => void,
  onBroken: (line: number, problem: string) => void,
) {
  const scanner = new DocumentScanner(paths, onValue);
  let isBroken = false;
  const fail = (problem: string) => {
    if (!isBroken) onBroken(scanner.count + 1, problem);
    isBroken = true;
  };
  return {
    push(chunk: string): void {
      if (isBroken || scanner.read(chunk)) return;
      fail(scanner.isEnded ? MORE : `the document is truncated or not JSON after record ${scanner.count}`);
    },
    end(): void {
      if (!isBroken && !scanner.isEnded) fail(`the document is truncated after record ${scanner.count}`);
    },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

class DocumentScanner {
  /** Values reported so far. */
  count = 0;
  readonly #patterns: readonly (readonly string[])[];
  readonly #onValue: (value: unknown, place: RecordPlace) => void;
  readonly #levels: Level[] = [];
  readonly #captures: Capture[] = [];
  #expected: Expected = "value";
  #token: Token = "none";
  #isEscaped = false;

  constructor(paths: readonly string[], onValue: (value: unknown, place: RecordPlace) => void) {
    this.#patterns = paths.map((path) => path.split(".").slice(1));
    this.#onValue = onValue;
  }

  get isEnded(): boolean {
    return this.#expected === "nothing";
  }

  /** Reads the next chunk; `false` if the document is not JSON. */
  read(chunk: string): boolean {
    for (const capture of this.#captures) capture.from = 0;
    let at = 0;
    while (at < chunk.length) {
      const next = this.#token === "none" ? this.#between(chunk, at) : this.#inToken(chunk, at);
      if (next === undefined) return false;
      at = next;
    }
    for (const capture of this.#captures) capture.pieces.push(chunk.slice(capture.from));
    return true;
  }

  /** Reads one character between tokens; returns the position after it. */
  #between(chunk: string, at: number): number | undefined {
    const char = chunk[at] ?? "";
    if (isSpace(char) || (char === "\uFEFF" && this.#levels.length === 0)) return at + 1;
    if (char === "}" || char === "]") return this.#close(chunk, at, char === "]");
    if (char === ",") return this.#comma(at);
    if (char === ":") return this.#expect("colon", "value", at);
    if (char === '"' && (this.#expected === "key" || this.#expected === "key-or-end")) return this.#beginKey(at);
    return this.#beginValue(char, at);
  }

  #beginKey(at: number): number {
    this.#captures.push({ depth: -1, pieces: [], from: at });
    this.#token = "key";
    return at + 1;
  }

  #beginValue(char: string, at: number): number | undefined {
    if (this.#expected !== "value" && this.#expected !== "value-or-end") return undefined;
    const depth = this.#levels.length;
    const isScalar = char !== "{" && char !== "[" && char !== '"';
    // Scalars are always collected: their text shows whether they are valid.
    if (isScalar || this.#isWanted()) this.#captures.push({ depth, pieces: [], from: at });
    if (char === "{" || char === "[") {
      this.#levels.push({ isList: char === "[", key: char === "[" ? 0 : "" });
      this.#expected = char === "[" ? "value-or-end" : "key-or-end";
      return at + 1;
    }
    this.#token = isScalar ? "scalar" : "string";
    return isScalar ? at : at + 1;
  }

  #close(chunk: string, at: number, isList: boolean): number | undefined {
    const canEnd = this.#expected === "comma-or-end" || this.#expected === (isList ? "value-or-end" : "key-or-end");
    if (!canEnd || this.#levels.at(-1)?.isList !== isList) return undefined;
    this.#levels.pop();
    return this.#endValue(chunk, at + 1);
  }

  #comma(at: number): number | undefined {
    const level = this.#levels.at(-1);
    if (this.#expected !== "comma-or-end" || level === undefined) return undefined;
    if (typeof level.key === "number") level.key += 1;
    this.#expected = level.isList ? "value" : "key";
    return at + 1;
  }

  #expect(expected: Expected, next: Expected, at: number): number | undefined {
    if (this.#expected !== expected) return undefined;
    this.#expected = next;
    return at + 1;
  }

  /** Reads on in a string, key or scalar: to its end, or to the end of the chunk. */
  #inToken(chunk: string, start: number): number | undefined {
    if (this.#token === "scalar") {
      let end = start;
      while (end < chunk.length && !endsScalar(chunk[end] ?? "")) end += 1;
      return end === chunk.length ? end : this.#endValue(chunk, end);
    }
    let at = start;
    for (; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      if (code < 0x20) return undefined;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE)
        return this.#token === "key" ? this.#endKey(chunk, at + 1) : this.#endValue(chunk, at + 1);
    }
    return at;
  }

  #endKey(chunk: string, end: number): number | undefined {
    const key = this.#take(chunk, end);
    const level = this.#levels.at(-1);
    if (typeof key?.value !== "string" || level === undefined) return undefined;
    level.key = key.value;
    this.#token = "none";
    this.#expected = "colon";
    return end;
  }

  #endValue(chunk: string, end: number): number | undefined {
    const isScalar = this.#token === "scalar";
    this.#token = "none";
    const depth = this.#levels.length;
    this.#expected = depth === 0 ? "nothing" : "comma-or-end";
    if (this.#captures.at(-1)?.depth !== depth) return end;
    const taken = this.#take(chunk, end);
    if (taken === undefined) return undefined;
    if (!isScalar || this.#isWanted()) {
      this.count += 1;
      this.#onValue(taken.value, { line: this.count, path: this.#path() });
    }
    return end;
  }

  /** The value of the innermost captured text; `undefined` if it is not JSON. */
  #take(chunk: string, end: number): { readonly value: unknown } | undefined {
    const capture = this.#captures.pop();
    if (capture === undefined) return undefined;
    try {
      return { value: JSON.parse([...capture.pieces, chunk.slice(capture.from, end)].join("")) };
    } catch {
      return undefined;
    }
  }

  #isWanted(): boolean {
    const levels = this.#levels;
    return this.#patterns.some(
      (steps) =>
        steps.length === levels.length &&
        steps.every((step, depth) => step === "*" || step === String(levels[depth]?.key)),
    );
  }

  #path(): Path {
    return this.#levels.map(({ key }) => key);
  }
}

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\r" || char === "\t";
}

function endsScalar(char: string): boolean {
  return isSpace(char) || char === "," || char === "]" || char === "}" || char === ":" || char === '"';
}

/** Splits chunked text into lines. Only a line feed ends a line: other separators occur inside strings. */
export function createLineSplitter(onLine: (text: string, line: number) => void) {
  let rest: string[] = [];
  let line = 0;
  const finish = (text: string) => {
    line += 1;
    const clean = line === 1 && text.startsWith("\uFEFF") ? text.slice(1) : text;
    if (clean.trim() !== "") onLine(clean, line);
  };
  return {
    push(chunk: string): void {
      let start = 0;
      for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
        finish([...rest, chunk.slice(start, end)].join(""));
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.slice(start));
    },
    end(): void {
      if (rest.length > 0) finish(rest.join(""));
      rest = [];
    },
  };
}

/**
 * Returns the JSON values of one line; `undefined` if the line is incomplete. An interrupted program can leave two
 * values on one line: `{…}{…}`.
 */
export function readLine(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    const pieces = splitObjects(text);
    try {
      return pieces?.map((piece) => JSON.parse(piece) as unknown);
    } catch {
      return undefined;
    }
  }
}

function splitObjects(text: string): string[] | undefined {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '"') i = endOfString(text, i);
    if (char === "{") depth += 1;
    if (char !== "}") continue;
    depth -= 1;
    if (depth < 0) return undefined;
    if (depth > 0) continue;
    pieces.push(text.slice(start, i + 1));
    start = i + 1;
  }
  return pieces.length > 1 && text.slice(start).trim() === "" ? pieces : undefined;
}

function endOfString(text: string, quote: number): number {
  let i = quote + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}
