import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/** Characters to parse without a pause. */
const PIECE = 256 * 1024;
/** Maximum nesting of a long text: each piece visits all open containers. */
const MAX_DEPTH = 1_000;

/** An array or object whose end has not been reached. */
interface Open {
  readonly isArray: boolean;
  /** Position of its bracket. */
  readonly at: number;
  /** Values parsed so far; undefined while the container may still be parsed at once. */
  parsed: unknown[] | Record<string, unknown> | undefined;
  /** Start of the text that is not parsed yet. */
  from: number;
  /** Start of the incomplete item. */
  item: number;
  /** True if the last item is parsed, so only a comma or the end may follow. */
  isItemDone: boolean;
}

/**
 * Same value as `JSON.parse`. Other tasks can run between the pieces of a long text.
 *
 * @throws SyntaxError if the text is not JSON, or if it is long and nested more than 1,000 levels deep.
 */
export async function parseJsonYielding(text: string): Promise<unknown> {
  return text.length > PIECE && /^[ \t\n\r]*[[{]/.test(text) ? parsePieces(text) : JSON.parse(text);
}

async function parsePieces(text: string): Promise<unknown> {
  const open: Open[] = [];
  let pieceEnd = PIECE;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pieceEnd) {
      for (const one of open) parseComplete(text, one);
      await yieldToEventLoop();
      pieceEnd = at + PIECE;
    }
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at);
    else if (sign === "[" || sign === "{") begin(open, sign === "[", at);
    else if (sign === ",") nextItem(text, open.at(-1), at);
    else if (sign === "]" || sign === "}") {
      const closed = close(text, open, sign === "]", at);
      if (open.length === 0) return lastValue(text, closed, at);
    }
  }
  return fail();
}

/** Closes the innermost container. If it is partly parsed, its value is added to the parent. */
function close(text: string, open: Open[], isArray: boolean, at: number): Open {
  const closed = open.pop();
  if (closed === undefined || closed.isArray !== isArray) fail();
  const parent = open.at(-1);
  if (parent !== undefined && closed.parsed !== undefined) {
    parseRest(text, closed, at);
    add(parent, keyBefore(text, parent, closed.at), closed.parsed);
    parent.from = at + 1;
    parent.isItemDone = true;
  }
  return closed;
}

function begin(open: Open[], isArray: boolean, at: number): void {
  if (open.length === MAX_DEPTH) fail();
  open.push({ isArray, at, parsed: undefined, from: at + 1, item: at + 1, isItemDone: false });
}

/** End of the string that starts at a quotation mark. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return fail();
}

function nextItem(text: string, container: Open | undefined, at: number): void {
  if (container === undefined) fail();
  if (container.isItemDone) {
    if (!isBlank(text.slice(container.from, at))) fail();
    container.isItemDone = false;
    container.from = at + 1;
  }
  container.item = at + 1;
}

/** Parses the complete items of an open container. */
function parseComplete(text: string, container: Open): void {
  container.parsed ??= container.isArray ? [] : {};
  if (container.item === container.from || container.isItemDone) return;
  addItems(text, container, container.item - 1);
  container.from = container.item;
}

/** Parses the rest of a container that ends at `end`. */
function parseRest(text: string, container: Open, end: number): void {
  const isRestBlank = isBlank(text.slice(container.from, end));
  const isEmpty = isRestBlank && container.from === container.at + 1;
  if (container.isItemDone && !isRestBlank) fail();
  if (!container.isItemDone && !isEmpty) addItems(text, container, end);
}

function addItems(text: string, container: Open, end: number): void {
  const items = text.slice(container.from, end);
  if (isBlank(items)) fail();
  const found: unknown = JSON.parse(container.isArray ? `[${items}]` : `{${items}}`);
  if (Array.isArray(found)) for (const item of found) add(container, "", item);
  else for (const [key, value] of Object.entries(found as object)) add(container, key, value);
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

function add({ parsed }: Open, key: string, value: unknown): void {
  if (Array.isArray(parsed)) parsed.push(value);
  // Assigning this key would set the prototype.
  else if (key === "__proto__") Object.defineProperty(parsed, key, { value, ...PLAIN });
  else if (parsed !== undefined) parsed[key] = value;
}

/** Key of the item whose value starts at a position; "" in an array. */
function keyBefore(text: string, { isArray, item }: Open, at: number): string {
  const before = text.slice(item, at);
  if (isArray) return isBlank(before) ? "" : fail();
  const [key = fail()] = Object.keys(JSON.parse(`{${before}null}`));
  return key;
}

function lastValue(text: string, container: Open, at: number): unknown {
  if (!isBlank(text.slice(at + 1))) fail();
  if (container.parsed === undefined) return JSON.parse(text);
  parseRest(text, container, at);
  return container.parsed;
}

/** True if the text is only JSON white space. */
function isBlank(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function fail(): never {
  throw new SyntaxError(`Invalid JSON: a syntax error, or more than ${MAX_DEPTH} levels of nesting.`);
}
