import { memoizeByText } from "../../internal/memoize.ts";
import {
  type Ledger,
  type LedgerConstraint,
  type LedgerName,
  type LedgerRequest,
  type LedgerStatement,
  LIMITS,
} from "../ledger.ts";
import { heatOf, rankNames, specificTo } from "../ledger-names.ts";
import { changeLine } from "../read/code-changes.ts";
import {
  correctedRequests,
  distinctRules,
  isClosed,
  rulesByPriority,
  rulesInOrder,
  taskOf,
} from "../reduce-requests.ts";
import { findRoot, NameLists, withoutRoot } from "./list-names.ts";
import { NoteDraft, type NoteItem, wordsTokens } from "./note-draft.ts";
import { type NoteReader, type NoteStyleName, noteStyle } from "./note-style.ts";
import { type PlacedStatement, StatementQueue } from "./rank-statements.ts";
import { requestForms, ruleForms } from "./render-quotes.ts";
import { commandForms, errorForms, stateLines } from "./state-lines.ts";

/** Options of `renderLedger`. */
export interface RenderLedgerOptions {
  /** Maximum tokens of the text, as `count` counts them. */
  readonly budget: number;
  /** Counts the tokens of a text, such as `countTokens`. */
  readonly count: (text: string) => number;
  /** Topic of most interest to the reader: sentences, files and names that share words with it come first. */
  readonly focus?: string;
  /**
   * Tokens reserved for requests and rules. With the value of `wordsTokens`, all of them are verbatim. By default they
   * share with the other sections, and requests are cut to their first words.
   */
  readonly words?: number;
  /**
   * Maximum tokens for rules (default: `words`, or a share of the budget). They come first. If there are too many, a
   * message with many rules does not displace those of others.
   */
  readonly rules?: number;
  /** Kind of reader (default: "agent"). */
  readonly style?: NoteStyleName;
  /**
   * Reader of the note (default: "model"). For a person, a changed file has at most 4 names beside it, and there are at
   * most 12 others.
   */
  readonly reader?: NoteReader;
  /** Position of the last message that the note covers (default: all). */
  readonly upTo?: number;
  /** Includes sentences of the assistant about the work (default: true). */
  readonly narrative?: boolean;
  /** Position of the last message that the narrative skips (default: none). */
  readonly describedUpTo?: number;
  /** Text that the reader sees next to the note, such as the messages after it. Names in it are not listed again. */
  readonly shown?: string;
}

/** Upper bounds for the sections, as shares of the budget without `words`. The narrative gets the rest. */
const SHARES = {
  rules: 0.08,
  requests: 0.1,
  /** In a chat, the user's words are the main content. */
  chatRequests: 0.45,
  state: 0.07,
  errors: 0.04,
  commands: 0.02,
  changed: 0.15,
} as const;
/**
 * Upper bounds for files and names together, and for names alone, as shares of the budget: next to a narrative, and
 * without one.
 */
const LISTS = { beside: { all: 0.345, names: 0.15 }, alone: { all: 0.7, names: 0.25 } } as const;
/** Minimum tokens of a narrative. A small note has fewer names. */
const FIRST_TOKENS = 35;
/** Upper bound for all commands, if tokens are left after the sentences. */
const LAST_COMMANDS = 0.12;
/** Number of newest requests that a note always contains. */
const RECENT_REQUESTS = 3;
/** Tokens of a request that is included only because of the sentences about it. */
const SHORT_REQUEST = 50;
/** Maximum share of the tokens for words per request: for the task and open requests, and for others. */
const ONE_REQUEST = { open: 0.3, ended: 0.12, minTokens: 40 } as const;
/** Tokens of an error with its message. */
const ONE_ERROR = 60;
/** Upper bound for files and names together, if tokens are left after everything else. Names alone keep their bound. */
const LAST_LISTS = 0.6;
/** Upper bound for changes, if tokens are left after the sentences. */
const LAST_CHANGES = 0.3;
/** Number of changes in a note for a person, who can look at the files. */
const MAX_CHANGES_FOR_PERSON = 3;
/** Number of lines of one change, beside other changes. */
const LINES_PER_CHANGE = 3;
/** Number of statements that do not fit after which no more are tried. */
const MAX_MISSES = 30;
/** Tokens of the line with the number of omitted rules. */
const MORE_LINE = 12;
/** Characters of the longest possible token. A text that cannot fit need not be counted. */
const MAX_TOKEN_LENGTH = 128;

/** A rule in the form that fits. */
interface ChosenRule {
  readonly rule: LedgerConstraint;
  readonly text: string;
}

/** Fills a note section by section, each up to its share of the budget. */
export class NoteWriter {
  readonly #ledger: Ledger;
  readonly #options: RenderLedgerOptions;
  readonly #count: (text: string) => number;
  readonly #draft: NoteDraft;
  readonly #lists: NameLists;
  readonly #root: string;
  readonly #focus: readonly string[];
  /** True if the session took more than one day. */
  readonly #hasDates: boolean;
  readonly #addedStatements = new Set<LedgerStatement>();
  readonly #corrected: ReadonlySet<LedgerRequest>;
  readonly #task: LedgerRequest | undefined;

  constructor(ledger: Ledger, options: RenderLedgerOptions) {
    const { requests, constraints, droppedCounts, files } = ledger;
    this.#ledger = ledger;
    this.#corrected = correctedRequests(ledger);
    this.#task = taskOf(requests);
    this.#options = options;
    this.#count = memoizeByText(options.count, Number.POSITIVE_INFINITY);
    this.#focus = focusWords(options.focus ?? "");
    this.#hasDates = new Set(requests.flatMap(({ time }) => (time === undefined ? [] : [dayOf(time)]))).size > 1;
    const ranked = this.#rankNames();
    this.#root = findRoot(
      files.map(({ path }) => path),
      ranked.map(({ text }) => text),
    );
    const style = noteStyle(options.style ?? "agent", this.#root, options.reader);
    this.#draft = new NoteDraft(options.budget, this.#count, style, {
      requests: requests.length + droppedCounts.requests,
      rules: constraints.length + droppedCounts.constraints,
    });
    if (options.shown !== undefined) this.#draft.see(options.shown);
    this.#lists = new NameLists(ledger, this.#draft, { root: this.#root, ranked, reader: options.reader });
  }

  write(): string {
    const { budget, words = 0, narrative = true } = this.#options;
    const maxTokens = Math.max(0, budget - words);
    const isChat = this.#options.style === "chat";
    const lists = Math.max(0, LISTS.beside.all * maxTokens - FIRST_TOKENS);
    const closed = this.#addRules(this.#options.rules ?? (words > 0 ? words : SHARES.rules * maxTokens));
    const requests = isChat ? SHARES.chatRequests : SHARES.requests;
    const closedTokens = closed.reduce((sum, { text }) => sum + this.#count(`${text}\n`), 0);
    this.#addRequests(
      words > 0 ? words - this.#draft.used - closedTokens : Math.max(ONE_REQUEST.minTokens, requests * maxTokens),
    );
    this.#addClosed(closed);
    const states = stateLines(this.#ledger).map((line) => [line]);
    this.#addLines("state", states, SHARES.state * maxTokens);
    this.#addLines(
      "errors",
      errorForms(this.#ledger),
      Math.max(Math.min(ONE_ERROR, 0.2 * maxTokens), SHARES.errors * maxTokens),
    );
    this.#lists.addChangedFiles(SHARES.changed * maxTokens, this.#isInFocus);
    const commands = this.#addLines("commands", commandForms(this.#ledger), SHARES.commands * maxTokens);
    // Sentences contain many of the names, which then need not be listed.
    if (narrative) this.#addStatements(isChat ? budget : budget - Math.max(0, lists - this.#lists.tokens));
    this.#addNames();
    this.#draft.weigh();
    if (narrative) this.#addStatements(budget);
    const steps = [
      () => narrative && this.#lengthenRequests(),
      () => this.#addLines("commands", commands, LAST_COMMANDS * budget),
      () => this.#addChanges(LAST_CHANGES * budget),
      () => this.#addNames(LAST_LISTS),
    ];
    // Requests with a reserve of their own are verbatim as far as it goes: names come before longer forms of the rest.
    for (const step of words > 0 ? steps.toReversed() : steps) step();
    if (this.#options.reader !== "person") this.#addChanges(budget, LIMITS.changedLines);
    return this.#draft.toText();
  }

  /** Adds rules in order; if there are too many, those with the highest priority. Returns the closed ones. */
  #addRules(tokens: number): readonly ChosenRule[] {
    const { constraints, requests } = this.#ledger;
    const limit = Math.min(tokens, this.#options.budget);
    const texts = this.#chooseRules(constraints, limit);
    const chosen = rulesInOrder(constraints).flatMap((rule): ChosenRule[] => {
      const text = texts.get(rule);
      return text === undefined ? [] : [{ rule, text }];
    });
    const closed = chosen.filter(({ rule }) => isClosed(rule, requests));
    for (const one of chosen) {
      if (!closed.includes(one)) this.#draft.add({ section: "rules", text: one.text }, limit);
    }
    return closed;
  }

  /**
   * A closed correction or refusal is a part of its request. It gets a line of its own only in a note that keeps all
   * words of the user, and only if the request is not in it.
   */
  #addClosed(closed: readonly ChosenRule[]): void {
    const { words = 0 } = this.#options;
    const shown = closed.length === 0 ? "" : this.#draft.text();
    for (const { rule, text } of closed) {
      if (words === 0 || shown.includes(rule.text)) this.#draft.countElsewhere("rules");
      else this.#draft.add({ section: "rules", text });
    }
  }

  /** The rules that fit, each in its longest form that fits. */
  #chooseRules(rules: readonly LedgerConstraint[], limit: number): ReadonlyMap<LedgerConstraint, string> {
    const choose = (list: readonly LedgerConstraint[], short: boolean) => {
      const maxTokens = short ? limit - MORE_LINE : limit;
      const draft = new NoteDraft(maxTokens, this.#count, noteStyle(this.#options.style ?? "agent"));
      const chosen = new Map<LedgerConstraint, string>();
      for (const rule of list) {
        const forms = ruleForms(rule).slice(0, short ? undefined : 1);
        const fitting = forms.filter((text) => text.length <= MAX_TOKEN_LENGTH * (maxTokens - draft.used));
        const text = fitting.find((form) => draft.add({ section: "rules", text: form }) > 0);
        if (text !== undefined) chosen.set(rule, text);
        else if (!short) return undefined;
      }
      return chosen;
    };
    const ordered = rulesByPriority(distinctRules(rules), (rule) => isClosed(rule, this.#ledger.requests));
    return choose(rules, false) ?? choose(ordered, true) ?? new Map();
  }

  #addRequests(tokens: number): void {
    const { words = 0 } = this.#options;
    const limit = this.#draft.used + tokens;
    const isVerbatim = words > 0 && wordsTokens(this.#ledger, this.#count, words + 1) <= words;
    const ordered = this.#byImportance();
    const isChat = this.#options.style === "chat";
    const first =
      words > 0 || isChat
        ? ordered.length
        : ordered.filter((request) => this.#isOpen(request)).length + RECENT_REQUESTS;
    for (const request of ordered.slice(0, first)) {
      const share = this.#isOpen(request) ? ONE_REQUEST.open : ONE_REQUEST.ended;
      const most = isChat ? SHORT_REQUEST : Math.max(ONE_REQUEST.minTokens, share * tokens);
      this.#addRequest(request, limit, isVerbatim ? Number.POSITIVE_INFINITY : most);
    }
  }

  #addRequest(request: LedgerRequest, limit: number, most: number): boolean {
    const forms = this.#formsOf(request).filter(
      (form) => form.length <= MAX_TOKEN_LENGTH * most && this.#count(form) <= most,
    );
    return this.#addForm(
      forms.map((text) => ({ section: "requests", request, text })),
      limit,
    );
  }

  /** Uses the remaining tokens for longer forms of the requests. */
  #lengthenRequests(): void {
    const longest = MAX_TOKEN_LENGTH * this.#options.budget;
    for (const request of this.#byImportance()) {
      this.#formsOf(request).some((form) => form.length <= longest && this.#draft.lengthen(request, form));
    }
  }

  /** The task, then open requests, then the newest. */
  #byImportance(): readonly LedgerRequest[] {
    const task = this.#task;
    const newest = this.#ledger.requests.filter((request) => request !== task).toReversed();
    const isOpen = (request: LedgerRequest) => this.#isOpen(request);
    return task === undefined ? [] : [task, ...newest.filter(isOpen), ...newest.filter((one) => !isOpen(one))];
  }

  #isOpen(request: LedgerRequest): boolean {
    return request === this.#task || request.state === "open" || request.state === "stopped";
  }

  #formsOf(request: LedgerRequest): readonly string[] {
    const date = request.time !== undefined && this.#hasDates ? dayOf(request.time) : "";
    const isTask = request === this.#task;
    return requestForms(request, {
      isTask,
      date,
      style: this.#options.style,
      isCorrected: this.#corrected.has(request),
    });
  }

  /** Adds lines in the longest form that fits. Returns those that do not fit. */
  #addLines(
    section: "state" | "errors" | "commands",
    lines: readonly (readonly string[])[],
    tokens: number,
  ): readonly (readonly string[])[] {
    const limit = this.#draft.used + tokens;
    return lines.filter((forms) => {
      const items = forms.map((text): NoteItem => ({ section, text }));
      return !this.#addForm(items, limit);
    });
  }

  /** Adds the first form that fits. */
  #addForm(forms: readonly NoteItem[], limit: number): boolean {
    return forms.some(
      (item) => item.text.length <= MAX_TOKEN_LENGTH * (limit - this.#draft.used) && this.#draft.add(item, limit) > 0,
    );
  }

  /** Adds the newest changes to files, as far as they have names that the note does not have. */
  #addChanges(tokens: number, lines = LINES_PER_CHANGE): void {
    const { upTo = this.#ledger.messages, style, reader } = this.#options;
    if (style === "chat") return;
    const limit = this.#draft.used + tokens;
    let left = reader === "person" ? MAX_CHANGES_FOR_PERSON : Number.POSITIVE_INFINITY;
    const files = new Map(this.#ledger.files.map(({ id, path }) => [id, withoutRoot(path, this.#root)]));
    for (const change of this.#ledger.changes?.toReversed() ?? []) {
      const path = files.get(change.file);
      if (path === undefined || change.at > upTo) continue;
      const text = changeLine(change, path, lines, (name) => this.#draft.says(name));
      if (text !== undefined && left > 0 && this.#draft.add({ section: "changes", text }, limit) > 0) left -= 1;
    }
  }

  /**
   * Lists files and names up to their shares of the budget. `most` is the share of both if nothing else is left to say.
   */
  #addNames(most = 0): void {
    const { narrative = true, style, budget } = this.#options;
    if (style === "chat") return;
    const { all, names } = narrative ? LISTS.beside : LISTS.alone;
    this.#lists.addNames({ all: Math.max(all, most) * budget, names: names * budget, isLast: most > 0 });
  }

  /** Adds sentences of the assistant, each under its request. */
  #addStatements(limit: number): void {
    const queue = new StatementQueue(this.#ledger, this.#draft, { focus: this.#focus, taken: this.#addedStatements });
    let misses = 0;
    for (let next = queue.next(); next !== undefined && misses <= MAX_MISSES; next = queue.next()) {
      // A sentence that only announces the next one is nothing without it.
      const { announced = next } = next;
      if (!this.#addStatement(announced, queue, limit) || !this.#addStatement(next, queue, limit)) misses += 1;
    }
  }

  #addStatement(placed: PlacedStatement, queue: StatementQueue, limit: number): boolean {
    const { statement, request } = placed;
    if (this.#addedStatements.has(statement)) return true;
    const hasHead =
      request === undefined || this.#draft.hasRequest(request) || this.#addRequest(request, limit, SHORT_REQUEST);
    const item: NoteItem = { section: "requests", request, statement, text: statement.text };
    if (!hasHead || this.#draft.add(item, limit) === 0) return false;
    queue.take(placed);
    this.#addedStatements.add(statement);
    return true;
  }

  /** Names that only make sense in this session, by rank. Those in focus come first. */
  #rankNames(): readonly LedgerName[] {
    const isSpecific = specificTo(this.#ledger);
    const ranked = rankNames(this.#ledger).filter(({ text }) => isSpecific(text));
    const isFirst = (name: LedgerName) => this.#isInFocus(name.text) && heatOf(name, this.#ledger.clock) > 0;
    return [...ranked.filter(isFirst), ...ranked.filter((name) => !isFirst(name))];
  }

  readonly #isInFocus = (text: string): boolean => {
    const lower = text.toLowerCase();
    return this.#focus.some((word) => lower.includes(word));
  };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function focusWords(focus: string): readonly string[] {
  return (
    focus
      .slice(0, 2_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}_./-]{4,80}/gu) ?? []
  ).slice(0, 40);
}
