import type { Ledger, LedgerFile, LedgerRequest, LedgerStatement } from "../ledger.ts";
import { wasChanged } from "../reduce-outcome.ts";
import { correctedRequests, taskOf } from "../reduce-requests.ts";
import type { NoteStyle } from "./note-style.ts";
import { noteStyle } from "./note-style.ts";
import { requestForms, ruleForms, withoutAnswer } from "./render-quotes.ts";

/** One item of a note. */
export type NoteItem =
  | { readonly section: "requests"; readonly request: LedgerRequest; readonly text: string }
  | {
      readonly section: "requests";
      readonly request: LedgerRequest | undefined;
      readonly statement: LedgerStatement;
      readonly text: string;
    }
  | { readonly section: "state" | "rules" | "changes" | "commands" | "errors"; readonly text: string }
  | { readonly section: "files"; readonly file: LedgerFile; readonly text: string }
  | {
      readonly section: "files";
      readonly file: LedgerFile;
      readonly symbol: string;
      /** True if the symbol is on a line after the files, not in brackets beside its file. */
      readonly isMore: boolean;
      readonly text: string;
    }
  | { readonly section: "names"; readonly text: string };

export type NoteSection = NoteItem["section"];

const ORDER: readonly NoteSection[] = ["requests", "state", "rules", "files", "changes", "commands", "errors", "names"];
const GROUPS = ["created", "edited", "renamed", "deleted", "read"] as const;
type FileGroup = (typeof GROUPS)[number];

/** Maximum distance of two sentences of a reply that count as consecutive. */
const MAX_STEP = 2;

/** The label of a request with its date. */
const DATED = /^(- [^:(\n]{1,60}) \(([\d-]{10})\):/;

/** Separators between entries of a section. Names have no spaces, so they need no commas, each of which is a token. */
const SEPARATORS: Readonly<Record<NoteSection, string>> = {
  requests: " ",
  state: "\n",
  rules: "\n",
  files: ", ",
  changes: "\n",
  commands: "\n",
  errors: "\n",
  names: " ",
};

/** A note that grows item by item within its budget. Its text depends only on the items. */
export class NoteDraft {
  readonly #budget: number;
  readonly #count: (text: string) => number;
  readonly #style: NoteStyle;
  /** Total number of entries of a section in the history. The section ends with the number of omitted ones. */
  readonly #totals: Map<NoteSection, number>;
  readonly #items: NoteItem[] = [];
  readonly #sections = new Set<NoteSection>();
  readonly #groups = new Set<FileGroup>();
  readonly #files = new Set<LedgerFile>();
  readonly #filesWithMore = new Set<LedgerFile>();
  readonly #requests = new Set<LedgerRequest>();
  readonly #namedFiles = new NamedFiles();
  #used = 0;

  constructor(
    budget: number,
    count: (text: string) => number,
    style: NoteStyle,
    totals: Partial<Record<NoteSection, number>> = {},
  ) {
    this.#budget = budget;
    this.#count = count;
    this.#style = style;
    this.#totals = new Map(Object.entries(totals) as [NoteSection, number][]);
  }

  get used(): number {
    return this.#used;
  }

  hasFile(file: LedgerFile): boolean {
    return this.#files.has(file);
  }

  hasRequest(request: LedgerRequest | undefined): boolean {
    return request !== undefined && this.#requests.has(request);
  }

  /** True if the note already contains a name, by itself or inside of a longer name. */
  says(name: string): boolean {
    return this.#namedFiles.has(name);
  }

  /** Registers a text next to the note. Names in it count as contained. */
  see(text: string): void {
    this.#namedFiles.add(text);
  }

  /** All texts of the note so far. */
  text(): string {
    return this.#items.map(({ text }) => text).join("\n");
  }

  /** Adds an item if the note then has at most `limit` tokens. Returns its tokens, or 0 if it does not fit. */
  add(item: NoteItem, limit: number = this.#budget): number {
    const cost = this.#costOf(item);
    if (this.#used + cost > Math.min(limit, this.#budget)) return 0;
    this.#used += cost;
    this.#items.push(item);
    this.#sections.add(item.section);
    this.#namedFiles.add(item.text);
    if (item.section === "requests" && !("statement" in item)) this.#requests.add(item.request);
    if (item.section === "files") {
      this.#files.add(item.file);
      this.#groups.add(groupOf(item.file));
      if ("symbol" in item && item.isMore) this.#filesWithMore.add(item.file);
    }
    return cost;
  }

  /** Counts an entry of a section as included, because another section contains it. */
  countElsewhere(section: NoteSection): void {
    this.#totals.set(section, (this.#totals.get(section) ?? 0) - 1);
  }

  /** Replaces the text of a request with a longer one, if the note still fits its budget. */
  lengthen(request: LedgerRequest, text: string): boolean {
    const index = this.#items.findIndex(
      (item) => item.section === "requests" && item.request === request && !("statement" in item),
    );
    const item = this.#items[index];
    if (item === undefined) return false;
    const cost = this.#count(text) - this.#count(item.text);
    if (this.#used + cost > this.#budget) return false;
    this.#used += cost;
    this.#items[index] = { section: "requests", request, text };
    this.#namedFiles.add(text);
    return true;
  }

  /** Recounts the whole note, because it has fewer tokens than the sum of its items. */
  weigh(): void {
    this.#used = Math.min(this.#used, this.#count(this.#compose()));
  }

  /** The whole text. The last items are dropped until it fits. */
  toText(): string {
    for (;;) {
      const text = this.#compose();
      const over = this.#count(text) - this.#budget;
      if (text === "" || over <= 0) return text;
      if (this.#items.length === 0) return "";
      // Drops several items at once, so that an inaccurate counter does not cost one count per item.
      this.#items.splice(-Math.ceil(1 + over / 40));
    }
  }

  #costOf(item: NoteItem): number {
    const { section } = item;
    const heading = this.#sections.has(section) ? "" : `\n\n### ${this.#style.titles[section]}\n`;
    return this.#count(`${heading}${this.#labelOf(item)}${withSeparator(item)}`);
  }

  /** Start of the line if the item is the first file on it. */
  #labelOf(item: NoteItem): string {
    if (item.section !== "files") return "";
    if ("symbol" in item && item.isMore) return this.#filesWithMore.has(item.file) ? "" : moreLabel(item.file.path);
    return this.#groups.has(groupOf(item.file)) ? "" : "\n- Created: ";
  }

  #compose(): string {
    return ORDER.flatMap((section) => {
      const items = this.#items.filter((item) => item.section === section);
      const total = this.#totals.get(section) ?? 0;
      if (items.length === 0) return [];
      const lines = this.#linesOf(section, items, total);
      return [`### ${this.#style.titles[section]}\n${lines.join("\n")}`];
    }).join("\n\n");
  }

  #linesOf(section: NoteSection, items: readonly NoteItem[], total: number): readonly string[] {
    switch (section) {
      case "requests":
        return requestLines(items, total);
      case "files":
        return fileLines(items);
      case "names":
        return [items.map(({ text }) => text).join(" ")];
      default: {
        const left = total - items.length;
        return [...items.map(({ text }) => text), ...(left > 0 && total > 0 ? [moreLine(left)] : [])];
      }
    }
  }
}

/** An item with its separator. A space and the word after it share a token. */
function withSeparator(item: NoteItem): string {
  if ("statement" in item) return ` ${item.text}`;
  if (item.section === "names") return ` ${item.text}`;
  if ("symbol" in item) return item.isMore ? ` ${item.text}` : ` ${item.text},`;
  return `${item.text}${SEPARATORS[item.section]}`;
}

/** States the number of entries that only the history has. */
function moreLine(left: number): string {
  return `- ${left} more in the history`;
}

/** Requests in order, each with the sentences about its outcome. */
function requestLines(items: readonly NoteItem[], total: number): readonly string[] {
  const groups = new Map<
    LedgerRequest | undefined,
    { head?: string; statements: (NoteItem & { statement: LedgerStatement })[] }
  >();
  for (const item of items) {
    if (item.section !== "requests") continue;
    const group = groups.get(item.request) ?? { statements: [] };
    if ("statement" in item) group.statements.push(item);
    else group.head = item.text;
    groups.set(item.request, group);
  }
  const ordered = [...groups].sort(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0));
  const heads = ordered.filter(([, { head }]) => head !== undefined).length;
  let day = "";
  const lines = ordered.flatMap(([, { head, statements }]) => {
    const inOrder = statements.sort(({ statement: a }, { statement: b }) => a.at - b.at || a.order - b.order);
    const [, label = "", date = day] = DATED.exec(head ?? "") ?? [];
    // A date applies until the next one.
    const line = date === day ? head?.replace(DATED, `${label}:`) : head;
    day = date;
    if (inOrder.length === 0) return line === undefined ? [] : [withoutAnswer(line)];
    return [...(line === undefined ? [] : [line]), `→ ${joinSentences(inOrder)}`];
  });
  return total > heads ? [...lines, moreLine(total - heads)] : lines;
}

/** True if a statement is the next one of the same reply, or the next but one. */
export function isFollowedBy({ at, order }: LedgerStatement, next: LedgerStatement | undefined): boolean {
  return next?.at === at && next.order <= order + MAX_STEP;
}

/**
 * One paragraph. A list item without punctuation at its end gets a semicolon, and a colon without the sentence after it
 * becomes an ellipsis.
 */
function joinSentences(items: readonly (NoteItem & { statement: LedgerStatement })[]): string {
  return items
    .map(({ text, statement }, index) => {
      const next = items[index + 1]?.statement;
      if (/:\W{0,3}$/.test(text)) return isFollowedBy(statement, next) ? text : text.replace(/:(?=\W{0,3}$)/, " …");
      return next === undefined || /[.!?…。！？]["'”`*)\]]{0,3}$/.test(text) ? text : `${text};`;
    })
    .join(" ");
}

function groupOf(file: LedgerFile): FileGroup {
  const { actions, last } = file;
  if (last === "deleted" || last === "renamed") return last;
  if (actions.created !== undefined) return "created";
  return wasChanged(file) ? "edited" : "read";
}

/** Files grouped by action, each with its symbols, then the files that have more of them. */
function fileLines(items: readonly NoteItem[]): readonly string[] {
  const files = new Map<LedgerFile, { path: string; symbols: string[]; more: string[] }>();
  for (const item of items) {
    if (item.section !== "files") continue;
    const entry = files.get(item.file) ?? { path: "", symbols: [], more: [] };
    if (!("symbol" in item)) entry.path = item.text;
    else if (item.isMore) entry.more.push(item.symbol);
    else entry.symbols.push(item.symbol);
    files.set(item.file, entry);
  }
  const groups = GROUPS.flatMap((group) => {
    const own = [...files].filter(([file, { path }]) => groupOf(file) === group && path !== "");
    if (own.length === 0) return [];
    const written = own.map(([, { path, symbols }]) =>
      symbols.length === 0 ? path : `${path} (${symbols.join(", ")})`,
    );
    return [`- ${group[0]?.toUpperCase()}${group.slice(1)}: ${written.join(", ")}`];
  });
  const withMore = [...files.values()].filter(({ path, more }) => path !== "" && more.length > 0);
  return [...groups, ...withMore.map(({ path, more }) => `${moreLabel(path)} ${more.join(" ")}`)];
}

/** The start of the line with the names of a file that are not beside it. */
function moreLabel(path: string): string {
  return `- More in ${path.slice(path.lastIndexOf("/") + 1)}:`;
}

const RUNS = /[\w./@~+-]+/g;
/** Length of a piece in characters. Few texts share pieces of this length by chance. */
const PIECE = 5;

/** Index of the names in a text. A search for each of many names in a long text would read all of it each time. */
class NamedFiles {
  readonly #runs = new Set<string>();
  readonly #pieces = new Set<string>();
  #text = "";

  add(text: string): void {
    this.#text += `\n${text}`;
    for (let at = 0; at + PIECE <= text.length; at += 1) this.#pieces.add(text.slice(at, at + PIECE));
    for (const run of text.match(RUNS) ?? []) this.#runs.add(run);
  }

  has(name: string): boolean {
    if (this.#runs.has(name)) return true;
    for (let at = 0; at + PIECE <= name.length; at += 1) {
      if (!this.#pieces.has(name.slice(at, at + PIECE))) return false;
    }
    return this.#text.includes(name);
  }
}

/** Longest date and label of a request, in tokens. */
const DATE = "0000-00-00";

/**
 * Returns the number of tokens that all requests and rules of a ledger take verbatim. Pass it to `renderLedger`
 * as `words` to keep all of them.
 *
 * @param ledger Ledger of the session.
 * @param count Counts the tokens of a text, such as `countTokens`.
 * @param most Upper bound: counting stops there, and the bound is returned. Default: none.
 *
 * @example
 * const words = wordsTokens(ledger, countTokens, 2_000);
 * const text = renderLedger(ledger, { budget: 4_000, count: countTokens, words });
 */
export function wordsTokens(
  ledger: Ledger,
  count: (text: string) => number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const draft = new NoteDraft(most, count, noteStyle("agent"));
  for (const rule of ledger.constraints.toReversed()) {
    if (draft.add({ section: "rules", text: ruleForms(rule)[0] ?? "" }) === 0) return most;
  }
  const corrected = correctedRequests(ledger);
  const task = taskOf(ledger.requests);
  for (const request of ledger.requests) {
    const date = request.time === undefined ? "" : DATE;
    const text =
      requestForms(request, { isTask: request === task, date, isCorrected: corrected.has(request) })[0] ?? "";
    if (draft.add({ section: "requests", request, text }) === 0) return most;
  }
  return draft.used;
}
