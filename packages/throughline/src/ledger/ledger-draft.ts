import { type LedgerLine, SECTIONS, type SectionName } from "./ledger-line.ts";

interface DraftLine {
  readonly section: SectionName;
  readonly text: string;
  readonly directory: string;
  names: string[];
}

/** The kinds of names that stand in a section of their own. */
export type NameKind = "Paths" | "Symbols" | "Ids and values" | "Links";
const KINDS: readonly NameKind[] = ["Paths", "Symbols", "Ids and values", "Links"];

/** How many entries some sections would have if all of theirs were said. */
export type SectionTotals = Readonly<Partial<Record<SectionName, number>>>;

/** In a smaller text there is no room to say how much is missing. */
const LEFT_OUT_SHARE = 0.1;

/** How much of a text names may take in a section of their own, and together with those that stand with their files. */
export interface NameShares {
  readonly names: number;
  readonly listed: number;
}

const UNLIMITED: NameShares = { names: 1, listed: 1 };

/** A text that grows line by line and never beyond its budget. */
export class LedgerDraft {
  readonly #budget: number;
  readonly #count: (text: string) => number;
  readonly #totals: SectionTotals;
  readonly #shares: NameShares;
  readonly #lines: DraftLine[] = [];
  readonly #byFile = new Map<number, DraftLine>();
  readonly #kinds = new Map<NameKind, string[]>();
  readonly #sections = new Set<SectionName>();
  readonly #undo: (() => void)[] = [];
  #said = "";
  /** The runs of characters of names in the text, and all pieces of its lines that are so many characters long. */
  readonly #runs = new Set<string>();
  readonly #pieces = new Set<string>();
  #used = 0;
  /** Tokens of names in their own section, and of those with their files. */
  #named = 0;
  #listed = 0;
  #saysWhatIsLeftOut = false;

  constructor(
    budget: number,
    count: (text: string) => number,
    totals: SectionTotals = {},
    shares: NameShares = UNLIMITED,
  ) {
    this.#budget = budget;
    this.#shares = shares;
    this.#count = count;
    this.#totals = totals;
  }

  get used(): number {
    return this.#used;
  }

  /** Whether a name already stands somewhere in the text. */
  says(name: string): boolean {
    return this.#runs.has(name) || (this.#maySay(name) && this.#said.includes(name));
  }

  /** `false` where the text cannot hold a name: to look for each of many names would read the whole text for each. */
  #maySay(name: string): boolean {
    return name.includes("\n") || piecesOf(name).every((piece) => this.#pieces.has(piece));
  }

  /** Whether a name already stands by itself, and not only inside of a longer one. */
  saysWhole(name: string): boolean {
    if (ONE_RUN.test(name)) return this.#runs.has(name);
    if (!this.#maySay(name)) return false;
    for (let at = this.#said.indexOf(name); at >= 0; at = this.#said.indexOf(name, at + 1)) {
      if (!isNameChar(this.#said[at - 1]) && !isNameChar(this.#said[at + name.length])) return true;
    }
    return false;
  }

  has(file: number): boolean {
    return this.#byFile.has(file);
  }

  /** What a line would cost, with the heading if it is the first of its section. */
  costOf(section: SectionName, text: string): number {
    return this.#count(`${text}\n`) + (this.#sections.has(section) ? 0 : this.#count(`\n### ${section}\n`));
  }

  /** Adds a line if it fits below `limit`. */
  addLine({ section, file }: LedgerLine, text: string, limit = this.#budget): boolean {
    const directory = file === undefined ? "" : file.path.slice(0, file.path.lastIndexOf("/") + 1);
    const line: DraftLine = { section, text, directory, names: [] };
    return this.#spend(this.costOf(section, text), limit, text, () => {
      const isFirst = !this.#sections.has(section);
      this.#sections.add(section);
      this.#lines.push(line);
      if (file !== undefined) this.#byFile.set(file.id, line);
      return () => {
        this.#lines.pop();
        if (isFirst) this.#sections.delete(section);
        if (file !== undefined) this.#byFile.delete(file.id);
      };
    });
  }

  /** Adds a name to the line of its file. */
  addToFile(file: number, name: string): boolean {
    const line = this.#byFile.get(file);
    if (line === undefined) return false;
    const cost = this.#count(`, ${name}`);
    if (!this.#mayList(cost)) return false;
    return this.#spend(cost, this.#budget, name, () => {
      line.names.push(name);
      this.#listed += cost;
      return () => {
        line.names.pop();
        this.#listed -= cost;
      };
    });
  }

  /** Adds a name to the names of its kind. */
  addName(kind: NameKind, name: string): boolean {
    const names = this.#kinds.get(kind) ?? [];
    const lead = names.length > 0 ? "" : `\n- ${kind}: `;
    const heading = this.#kinds.size > 0 ? "" : "\n### Names\n";
    const cost = this.#count(`, ${name}`) + (lead === "" ? 0 : this.#count(`${heading}${lead}`));
    if (this.#named + cost > this.#shares.names * this.#budget || !this.#mayList(cost)) return false;
    return this.#spend(cost, this.#budget, name, () => {
      names.push(name);
      this.#kinds.set(kind, names);
      this.#named += cost;
      return () => {
        names.pop();
        this.#named -= cost;
        if (names.length === 0) this.#kinds.delete(kind);
      };
    });
  }

  /** Keeps room for a line in each section that says how many of its entries are not here, where that is cheap. */
  sayWhatIsLeftOut(): void {
    const cost = SECTIONS.reduce((sum, section) => {
      const note = this.#leftOut(section);
      return note === undefined ? sum : sum + this.costOf(section, note);
    }, 0);
    if (cost > LEFT_OUT_SHARE * this.#budget || this.#used + cost > this.#budget) return;
    this.#used += cost;
    this.#saysWhatIsLeftOut = true;
  }

  /** Tokens do not add up exactly: what the whole takes less than its pieces is free again. */
  weigh(): void {
    this.#used = Math.min(this.#used, this.#count(this.#compose()));
  }

  /** The whole text. Tokens do not add up exactly, so what was added last goes until it fits. */
  toText(): string {
    for (;;) {
      const text = this.#compose();
      const over = this.#count(text) - this.#budget;
      if (text === "" || over <= 0) return text;
      if (this.#undo.length === 0) return "";
      // A counter that is far off should not cost one count per name.
      for (let n = 0; n < 1 + over / 40 && this.#undo.length > 0; n += 1) this.#undo.pop()?.();
    }
  }

  #mayList(cost: number): boolean {
    return this.#named + this.#listed + cost <= this.#shares.listed * this.#budget;
  }

  #spend(cost: number, limit: number, said: string, apply: () => () => void): boolean {
    if (this.#used + cost > limit) return false;
    this.#used += cost;
    this.#said += `\n${said}`;
    for (const piece of piecesOf(said)) this.#pieces.add(piece);
    for (const run of said.match(RUNS) ?? []) this.#runs.add(run);
    this.#undo.push(apply());
    return true;
  }

  #compose(): string {
    return SECTIONS.flatMap((section) => {
      const said = section === "Names" ? this.#nameLines() : this.#sectionLines(section);
      const leftOut = this.#saysWhatIsLeftOut ? this.#leftOut(section) : undefined;
      const lines = leftOut === undefined ? said : [...said, leftOut];
      return lines.length === 0 ? [] : [`### ${section}\n${lines.join("\n")}`];
    }).join("\n\n");
  }

  #leftOut(section: SectionName): string | undefined {
    const total = this.#totals[section];
    if (total === undefined) return undefined;
    const left = total - this.#lines.filter((line) => line.section === section).length;
    return left > 0 ? `- ${left} more in the history` : undefined;
  }

  #nameLines(): readonly string[] {
    return KINDS.flatMap((kind) => {
      const names = this.#kinds.get(kind) ?? [];
      return names.length === 0 ? [] : [`- ${kind}: ${names.join(", ")}`];
    });
  }

  /** Files stand with the others of their directory, the directory of the most important one first. */
  #sectionLines(section: SectionName): readonly string[] {
    const groups = new Map<string, string[]>();
    for (const { section: own, text, directory, names } of this.#lines) {
      if (own !== section) continue;
      const group = groups.get(directory) ?? [];
      group.push(names.length === 0 ? text : `${text}: ${names.join(", ")}`);
      groups.set(directory, group);
    }
    return [...groups.values()].flat();
  }
}

function isNameChar(char: string | undefined): boolean {
  return char !== undefined && /[\w./@~+-]/.test(char);
}

const RUNS = /[\w./@~+-]+/g;
const ONE_RUN = /^[\w./@~+-]+$/;
/** Characters of a piece: few texts share pieces of this length by chance. */
const PIECE = 5;

function piecesOf(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - PIECE + 1) }, (_, at) => text.slice(at, at + PIECE));
}
