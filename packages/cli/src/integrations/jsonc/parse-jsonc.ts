/** A value in a text of JSON, and where it stands: from `start` up to and without `end`. */
export type JsonNode = JsonScalar | JsonObject | JsonList;

interface Placed {
  readonly start: number;
  readonly end: number;
}

interface JsonScalar extends Placed {
  readonly type: "scalar";
  readonly value: string | number | boolean | null;
}

export interface JsonProperty extends Placed {
  readonly key: string;
  readonly value: JsonNode;
}

export interface JsonObject extends Placed {
  readonly type: "object";
  readonly children: readonly JsonProperty[];
}

export interface JsonList extends Placed {
  readonly type: "list";
  readonly children: readonly JsonNode[];
}

/** The value of a text, or what is wrong with it and in which line. */
export type ParsedJsonc =
  | { readonly node: JsonNode }
  | { readonly node?: undefined; readonly problem: string; readonly line: number };

/** Deeper than any configuration is. */
const DEEPEST = 200;
const SCALAR = /"(?:[^"\\\n\r]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;
/** Blanks, a mark of the byte order, and comments, as programs that read JSON with comments take them. */
const GAP = /(?:[\s\ufeff]|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;

/**
 * Reads JSON that may have comments and commas behind the last entry, and says where everything stands, so that a text
 * can be changed without touching the rest of it.
 *
 * @example
 * const { node } = parseJsonc('{ "a": 1 } // one');
 */
export function parseJsonc(text: string): ParsedJsonc {
  const reader = new JsoncReader(text);
  try {
    return { node: reader.document() };
  } catch (error) {
    if (!(error instanceof JsoncProblem)) throw error;
    return { problem: error.message, line: text.slice(0, error.at).split(/\r\n|\r|\n/).length };
  }
}

/** Why a text is no object; nothing where it is one. */
export function problemWithObject(text: string): string | undefined {
  const parsed = parseJsonc(text);
  if (parsed.node === undefined) return `It is no valid JSON: in line ${parsed.line}, ${parsed.problem}.`;
  return parsed.node.type === "object" ? undefined : "It holds no object.";
}

const MARKS = /"(?:[^"\\\n\r]|\\.)*"|\/[/*]|,/g;

/** The first thing in a text of JSON with comments that plain JSON does not allow, and its line. */
export function findBeyondJson(text: string): { readonly what: string; readonly line: number } | undefined {
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark.startsWith('"')) continue;
    const isComment = mark !== ",";
    if (!isComment && !/[}\]]/.test(text[skipGap(text, index + 1)] ?? "")) continue;
    const line = text.slice(0, index).split(/\r\n|\r|\n/).length;
    return { what: isComment ? "a comment" : "a comma behind the last entry", line };
  }
  return undefined;
}

/** Where the gap ends that begins at `at`. */
export function skipGap(text: string, at: number): number {
  GAP.lastIndex = at;
  return at + (GAP.exec(text)?.[0].length ?? 0);
}

class JsoncProblem extends Error {
  readonly at: number;

  constructor(problem: string, at: number) {
    super(problem);
    this.at = at;
  }
}

class JsoncReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    this.#gap();
    const node = this.#value(0);
    this.#gap();
    if (this.#at < this.#text.length) throw this.#problem("there is something behind its end");
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > DEEPEST) throw this.#problem("it is nested too deeply");
    const next = this.#text[this.#at];
    if (next === "{") return this.#object(depth);
    if (next === "[") return this.#list(depth);
    return this.#scalar();
  }

  #object(depth: number): JsonObject {
    const start = this.#at;
    const children = this.#entries("}", (): JsonProperty => {
      const key = this.#scalar();
      if (typeof key.value !== "string") throw new JsoncProblem("a name in quotes is missing", key.start);
      this.#gap();
      if (this.#text[this.#at] !== ":") throw this.#problem("a colon is missing");
      this.#at += 1;
      this.#gap();
      const value = this.#value(depth + 1);
      return { start: key.start, end: value.end, key: key.value, value };
    });
    return { type: "object", start, end: this.#at, children };
  }

  #list(depth: number): JsonList {
    const start = this.#at;
    const children = this.#entries("]", () => this.#value(depth + 1));
    return { type: "list", start, end: this.#at, children };
  }

  /** What stands between the bracket that is next and the one that closes it. */
  #entries<T>(closing: string, read: () => T): T[] {
    const entries: T[] = [];
    this.#at += 1;
    for (;;) {
      this.#gap();
      if (this.#text[this.#at] === closing) break;
      entries.push(read());
      this.#gap();
      const next = this.#text[this.#at];
      if (next !== "," && next !== closing) throw this.#problem(`a comma or ${closing} is missing`);
      if (next === ",") this.#at += 1;
    }
    this.#at += 1;
    return entries;
  }

  #scalar(): JsonScalar {
    const start = this.#at;
    SCALAR.lastIndex = start;
    const found = SCALAR.exec(this.#text)?.[0];
    if (found === undefined) throw this.#problem(start < this.#text.length ? "a value is missing" : "it is cut off");
    this.#at += found.length;
    try {
      return { type: "scalar", start, end: this.#at, value: JSON.parse(found) };
    } catch {
      throw new JsoncProblem("a value cannot be read", start);
    }
  }

  #gap(): void {
    this.#at = skipGap(this.#text, this.#at);
  }

  #problem(problem: string): JsoncProblem {
    return new JsoncProblem(problem, this.#at);
  }
}

/** The value under a name; of several, the last, as every reader takes it. */
export function propertyOf(node: JsonNode | undefined, key: string): JsonProperty | undefined {
  return node?.type === "object" ? node.children.findLast((child) => child.key === key) : undefined;
}

/** What a node says, as plain data. */
export function plainValue(node: JsonNode): unknown {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.children.map(plainValue);
  return Object.fromEntries(node.children.map(({ key, value }) => [key, plainValue(value)]));
}
