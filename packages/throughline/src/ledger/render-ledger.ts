import type { Ledger, LedgerName } from "./ledger.ts";
import { LedgerDraft, type NameKind, type NameShares } from "./ledger-draft.ts";
import type { LedgerLine, SectionName } from "./ledger-line.ts";
import { fileLine, ledgerLines } from "./ledger-lines.ts";
import { heatOf, rankNames } from "./names.ts";
import { wordTotals } from "./word-lines.ts";
import { wordsTokens } from "./words-tokens.ts";

/** Options of `renderLedger`. */
export interface RenderLedgerOptions {
  /** Maximum tokens of the text, as `count` counts them. */
  readonly budget: number;
  /** Counts the tokens of a text, such as `countTokens`. */
  readonly count: (text: string) => number;
  /** Topic of the reader: lines and names that share words with it come first. Default: none. */
  readonly focus?: string;
  /**
   * Tokens of the budget that are reserved for requests and constraints. With as many as `wordsTokens` returns, all of
   * them are kept verbatim. Default: 0, they share the budget with the other sections.
   */
  readonly words?: number;
  /**
   * Limits names to 15% of the budget in their own section, and to a third together with the names of files. Default:
   * `false`.
   */
  readonly limitsNames?: boolean;
}

/** How the sections share what is not for names. What one leaves goes to the others. */
const SHARES: Readonly<Record<SectionName, number>> = {
  Requests: 0.28,
  Constraints: 0.12,
  Files: 0.32,
  Commands: 0.11,
  "Open to-dos": 0.08,
  Errors: 0.05,
  Decisions: 0.04,
  Names: 0,
};
/** How much of the room open errors may take before anything else has its turn. */
const ERRORS_SHARE = 0.25;
/** How far what must not be lost may go before names have their turn. */
const CRITICAL_SHARE = 0.5;
const NAME_SHARES: NameShares = { names: 0.15, listed: 1 / 3 };
const SMALL_LINE = 30;
/** Characters of the longest token that there is: a text that cannot fit need not be counted. */
const MAX_TOKEN_LENGTH = 128;
/** Names that do not fit any more before one stops trying shorter ones. */
const PATIENCE = 30;
/** How many ranks further a longer name may stand that takes the place of a shorter one, and how much longer it may be. */
const LOOK_AHEAD = 120;
const MUCH_LONGER = 40;
/**
 * Where there is room, the first names stand by themselves even if a longer one holds them: that is easier to find. For
 * each so many tokens above a small budget one more does.
 */
const SMALL_BUDGET = 1_000;
const TOKENS_PER_NAME = 8;

/**
 * Formats a ledger as markdown within a token budget. The same ledger and options give the same text.
 *
 * @param ledger Ledger of the session.
 * @param options Budget, token counter and focus.
 * @returns the text; empty if nothing fits.
 *
 * @example
 * renderLedger(ledger, { budget: 1_000, count: countTokens });
 */
export function renderLedger(ledger: Ledger, options: RenderLedgerOptions): string {
  const { budget, count, focus = "", words = 0, limitsNames = false } = options;
  const wanted = focusWords(focus);
  const counted = rememberCounts(count);
  const draft = new LedgerDraft(budget, counted, wordTotals(ledger), limitsNames ? NAME_SHARES : undefined);
  const all = inFocus(ledgerLines(ledger), wanted);
  const others = words <= 0 ? all : fillWords(draft, all, wordsRoom(ledger, counted, Math.min(words, budget)));
  const said = draft.used;
  const room = budget - said;
  const lines = fillErrors(draft, others, said + ERRORS_SHARE * room);
  const upTo = (tokens: number): Room => ({ limit: said + tokens, shared: tokens });
  const left = fillSections(draft, lines, upTo(proseShare(room) * room));
  const lost = fillSections(
    draft,
    left.filter(({ critical }) => critical),
    upTo(CRITICAL_SHARE * room),
  );
  draft.sayWhatIsLeftOut();
  const names = namesInFocus(ledger, wanted);
  const apart = Math.max(0, room - SMALL_BUDGET) / TOKENS_PER_NAME;
  fillNames(draft, ledger, names, apart);
  const rest = left.filter(({ critical, file }) => !critical && !(file !== undefined && draft.has(file.id)));
  fillSections(draft, [...lost, ...rest], upTo(room));
  draft.weigh();
  fillNames(draft, ledger, names, apart);
  return draft.toText();
}

/** The smaller the budget, the more of it goes to whole lines. */
function proseShare(budget: number): number {
  return 0.25 + 0.35 * Math.exp(-budget / 300);
}

/** How far a draft may be filled, and what the sections' shares are shares of. */
interface Room {
  readonly limit: number;
  readonly shared: number;
}

/** Where all that the user said fits word for word, no request has to leave room for the others. */
function wordsRoom(ledger: Ledger, count: (text: string) => number, words: number): Room {
  const fits = wordsTokens(ledger, count, words + 1) <= words;
  return { limit: words, shared: fits ? Number.POSITIVE_INFINITY : words };
}

/** Takes what the user said. Returns the lines that found no place, and all others. */
function fillWords(draft: LedgerDraft, lines: readonly LedgerLine[], room: Room): readonly LedgerLine[] {
  const left = new Set(fillSections(draft, lines.filter(isOwnWords), room));
  return lines.filter((line) => left.has(line) || !isOwnWords(line));
}

/** Takes the errors that are open, the newest first. Returns the lines that found no place, and all others. */
function fillErrors(draft: LedgerDraft, lines: readonly LedgerLine[], limit: number): readonly LedgerLine[] {
  const isOpen = ({ section, critical }: LedgerLine) => section === "Errors" && critical;
  const left = new Set(fillSections(draft, lines.filter(isOpen), { limit, shared: Number.POSITIVE_INFINITY }));
  return lines.filter((line) => left.has(line) || !isOpen(line));
}

function isOwnWords({ section }: LedgerLine): boolean {
  return section === "Requests" || section === "Constraints";
}

/** The same entries are weighed again and again while a text comes to be. */
export function rememberCounts(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/**
 * Takes lines section by section, always of the one that has had least of its share, as far as there is room.
 * Returns the lines that found no place.
 */
function fillSections(
  draft: LedgerDraft,
  lines: readonly LedgerLine[],
  { limit, shared }: Room,
): readonly LedgerLine[] {
  const queues = new Map<SectionName, LedgerLine[]>();
  for (const line of lines) {
    const queue = queues.get(line.section);
    if (queue === undefined) queues.set(line.section, [line]);
    else queue.push(line);
  }
  const spent = new Map<SectionName, number>();
  const left: LedgerLine[] = [];
  while (queues.size > 0) {
    const [section, queue] = neediest(queues, spent);
    const line = queue.shift();
    if (line === undefined) {
      queues.delete(section);
      continue;
    }
    if (line.file !== undefined && draft.has(line.file.id)) continue;
    const before = draft.used;
    const most = Math.max(SMALL_LINE, (line.critical ? 2 : 0.8) * SHARES[section] * shared);
    const longest = MAX_TOKEN_LENGTH * Math.min(most, limit - before);
    const added = line.forms.some(
      (form) => form.length <= longest && draft.costOf(section, form) <= most && draft.addLine(line, form, limit),
    );
    if (!added) left.push(line);
    spent.set(section, (spent.get(section) ?? 0) + (added ? draft.used - before : SMALL_LINE));
  }
  return left;
}

function neediest<Q>(queues: ReadonlyMap<SectionName, Q>, spent: ReadonlyMap<SectionName, number>): [SectionName, Q] {
  const need = ([section]: [SectionName, Q]) => (spent.get(section) ?? 0) / SHARES[section];
  return [...queues].reduce((best, one) => (need(one) < need(best) ? one : best));
}

/**
 * Names go where they belong: a file gets its own line, a symbol stands with its file, the rest by kind. The first
 * `apart` of them stand by themselves.
 */
function fillNames(draft: LedgerDraft, ledger: Ledger, ranked: readonly LedgerName[], apart: number): void {
  const files = new Map(ledger.files.map((file) => [file.path, file]));
  let misses = 0;
  for (const [rank, own] of ranked.entries()) {
    const isApart = rank < apart;
    if (isApart ? draft.saysWhole(own.text) : draft.says(own.text)) continue;
    const name = isApart ? own : longerName(ranked, rank, own);
    const file = files.get(name.text);
    if (!placeName(draft, name, file === undefined ? undefined : fileLine(file))) misses += 1;
    if (misses > PATIENCE) return;
  }
}

/** A name that holds another one and is soon due as well says both: `state.FilesTouched` for `FilesTouched`. */
function longerName(ranked: readonly LedgerName[], rank: number, own: LedgerName): LedgerName {
  const end = Math.min(ranked.length, rank + 1 + LOOK_AHEAD);
  for (let at = rank + 1; at < end; at += 1) {
    const other = ranked[at];
    if (other === undefined || other.text.length > own.text.length + MUCH_LONGER) continue;
    if (other.text.includes(own.text)) return other;
  }
  return own;
}

function placeName(draft: LedgerDraft, { text, file }: LedgerName, line: LedgerLine | undefined): boolean {
  if (line !== undefined) return draft.addLine(line, line.forms[0] ?? "");
  return (file !== undefined && draft.addToFile(file, text)) || draft.addName(kindOf(text), text);
}

function kindOf(name: string): NameKind {
  if (/^https?:/.test(name)) return "Links";
  if (/[/\\]/.test(name) || /\.[a-z][a-z0-9]{0,4}$/.test(name)) return "Paths";
  return /^[A-Za-z_$][\w$.]*$/.test(name) && !/^[0-9a-f]{7,40}$/.test(name) ? "Symbols" : "Ids and values";
}

function focusWords(focus: string): readonly string[] {
  return (
    focus
      .slice(0, 2_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}_./-]{4,80}/gu) ?? []
  ).slice(0, 40);
}

function inFocus(lines: readonly LedgerLine[], wanted: readonly string[]): readonly LedgerLine[] {
  if (wanted.length === 0) return lines;
  const hits = ({ forms: [form = ""] }: LedgerLine) => wanted.some((word) => form.toLowerCase().includes(word));
  const [first, ...others] = lines;
  if (first === undefined) return lines;
  return [first, ...others.filter(hits), ...others.filter((line) => !hits(line))];
}

function namesInFocus(ledger: Ledger, wanted: readonly string[]): readonly LedgerName[] {
  const ranked = rankNames(ledger);
  if (wanted.length === 0) return ranked;
  const hits = (name: LedgerName) =>
    heatOf(name, ledger.clock) > 0 && wanted.some((word) => name.text.toLowerCase().includes(word));
  return [...ranked.filter(hits), ...ranked.filter((name) => !hits(name))];
}
