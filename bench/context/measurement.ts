import type { AssembledContext, ContextReceipt } from "../../packages/throughline/src/context/context-api.ts";
import { countTokens } from "../../packages/throughline/src/tokens/count-tokens.ts";
import { type Cell, printTable } from "../print-table.ts";
import { LaterNames } from "./later-names.ts";
import type { ReplayPoint } from "./replay-points.ts";

/** Token counts, and how many tokens belong to items that name something used later. */
interface Tally {
  tokens: number;
  /** In memories that name something typed later by people or the agent. */
  typed: number;
  /** In lines that do. */
  byLine: number;
  /** In memories that name something typed later, or shown by a tool. */
  shown: number;
}

/** An injected item. */
export interface Injected {
  readonly text: string;
  readonly tokens: number;
  readonly group: string;
}

/** Names that occur after a point. */
export interface Later {
  readonly typed: LaterNames;
  readonly shown: LaterNames;
}

export function laterOf({ after }: ReplayPoint): Later {
  return { typed: new LaterNames(after, false), shown: new LaterNames(after, true) };
}

export const HEADERS = ["", "tokens per point", "used later", "by line", "used or shown later", "used names included"];

/** Totals over all points for one method. */
export class Measurement {
  readonly #items = emptyTally();
  /** Tokens around the items. */
  #around = 0;
  readonly #groups = new Map<string, Tally>();
  readonly #covered = { known: 0, named: 0 };
  points = 0;

  /** `tokens` is the total including text around the items; `known` are all names in memories. */
  add(items: readonly Injected[], tokens: number, { typed, shown }: Later, known: ReadonlySet<string>): void {
    this.points += 1;
    for (const { text, tokens: own, group } of items) {
      const lines = text.split("\n");
      const isTyped = typed.isNamedIn(text);
      const used = {
        tokens: own,
        typed: isTyped ? own : 0,
        byLine: isTyped ? (own * sizeOf(lines.filter((line) => typed.isNamedIn(line)))) / sizeOf(lines) : 0,
        shown: shown.isNamedIn(text) ? own : 0,
      };
      for (const tally of [this.#items, tallyOf(this.#groups, group)]) addTo(tally, used);
      this.#around -= own;
    }
    this.#around += tokens;
    const wanted = typed.among(known);
    const named = typed.among(namesIn(items.map(({ text }) => text).join("\n")));
    this.#covered.known += wanted.size;
    this.#covered.named += [...wanted].filter((name) => named.has(name)).length;
  }

  /** Share of injected tokens that are used, without the text around the items. */
  get share(): number {
    return this.#items.typed / Math.max(1, this.#items.tokens);
  }

  row(name: string): Cell[] {
    const { known, named } = this.#covered;
    return [...this.#cells(name, this.#items), percent(named, known)];
  }

  /** The same including headings, labels and the tags of the block. */
  rowWithFrame(name: string): Cell[] {
    return [...this.#cells(name, { ...this.#items, tokens: this.#items.tokens + this.#around }), ""];
  }

  printGroups(): void {
    const rows = [...this.#groups].toSorted((a, b) => b[1].tokens - a[1].tokens);
    printTable(
      HEADERS.slice(0, -1),
      rows.map(([name, tally]) => this.#cells(name, tally)),
    );
  }

  #cells(name: string, { tokens, typed, byLine, shown }: Tally): Cell[] {
    const mean = Math.round(tokens / Math.max(1, this.points));
    return [name, mean, percent(typed, tokens), percent(byLine, tokens), percent(shown, tokens)];
  }
}

/** The items of an assembled context, by tier and rule; each word of the index is one. */
export function injectedBy({ context, receipt }: AssembledContext): readonly Injected[] {
  const told = context.match(/^- .*(?:\n {2}.*)*/gm) ?? [];
  let at = -1;
  return receipt.items.map(({ tier, rule, tokens, id }, place) => {
    const group = `${tier}: ${rule}`;
    if (tier === "index") return { text: id.replace(/^topic:/, ""), tokens, group };
    // Without signals about files, likely files share a line.
    const isOnLine =
      rule === "likely-file" &&
      (told[at] ?? "")
        .slice(2)
        .split(", ")
        .includes(id.replace(/^file:/, ""));
    if (!isSecondSide(receipt, place) && !isOnLine) at += 1;
    return { text: told[at] ?? "", tokens, group };
  });
}

/** True for the second side of a contradiction, which is on the line of the first. */
function isSecondSide({ items }: ContextReceipt, place: number): boolean {
  let sides = 0;
  while (sides <= place && items[place - sides]?.rule === "open-contradiction") sides += 1;
  return sides > 0 && sides % 2 === 0;
}

/** The first texts that fit together. */
export function injectUpTo(texts: Iterable<string>, budget: number, group: string): readonly Injected[] {
  const items: Injected[] = [];
  let left = budget;
  for (const text of texts) {
    const tokens = countTokens(`- ${text}\n`);
    if (tokens > left) continue;
    left -= tokens;
    items.push({ text, tokens, group });
  }
  return items;
}

export function namesIn(text: string): ReadonlySet<string> {
  return LaterNames.read(text);
}

function emptyTally(): Tally {
  return { tokens: 0, typed: 0, byLine: 0, shown: 0 };
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? emptyTally();
  tallies.set(name, tally);
  return tally;
}

function addTo(tally: Tally, more: Tally): void {
  tally.tokens += more.tokens;
  tally.typed += more.typed;
  tally.byLine += more.byLine;
  tally.shown += more.shown;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
}
