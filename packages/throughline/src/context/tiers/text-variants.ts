import { readTerms, termHashes } from "../../language/terms.ts";
import type { RecallHit } from "../../memory/memory-api.ts";
import { asData, asQuotation } from "../../memory/recall/recall-block.ts";
import { memoryText } from "../../memory/staleness/mark-stale.ts";
import type { Memory, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { cleanPath, groupPaths } from "../file-paths.ts";
import { episodeLines, type Focus, fixesIn, specificStatements } from "./episode-lines.ts";

type Level = keyof MemoryLevels;

const LEVELS: readonly Level[] = ["full", "summary", "compressed", "index"];
/** A longer text is served as its summary, because a truncated one is hard to understand. */
const MAX_FULL_LENGTH = 8_000;
const MAX_LINE_LENGTH = 2_000;
const MAX_DEPTH = 24;
const MAX_RECORDS = 2;
const MAX_NAMES = 6;
/**
 * Characters of statements: of the episode that the work continues from, and of others, which have more room if there
 * are few of them.
 */
const MAX_STATEMENTS = { full: 1_000, others: { most: 800, least: 600, together: 3_600 } } as const;
const MAX_NAME_LENGTH = 160;
/** Mark of a list item at the start of a text. */
const LIST_MARK = /^\s*[-*•]\s+/;
/** Number of first words of a fact that does not fit. */
const MAX_WORDS = 14;

const NO_FOCUS: Focus = { files: [], names: new Set(), isRelated: true, episodes: 1, key: "" };

/** Note with names, source and day of a memory, at the end of its first line. */
const NOTE = / \((?:[^()\n]{1,600}; )?(?:[^();\n]{1,40} )?\d{4}-\d\d-\d\d\)(?=:?(?:\n|$))/;

/** Text of a memory at one level. It is rendered and counted lazily. */
export class TextVariant {
  readonly level: Level;
  readonly #write: (focus: Focus) => string;
  readonly #focus: Focus;
  #text: string | undefined;
  #tokens: number | undefined;
  #words: string | undefined;
  #focused: TextVariant | undefined;

  /** @param write returns the text, with those files of the focus that it does not contain */
  constructor(level: Level, write: (focus: Focus) => string, focus: Focus = NO_FOCUS) {
    this.level = level;
    this.#write = write;
    this.#focus = focus;
  }

  get text(): string {
    this.#text ??= this.#write(this.#focus);
    return this.#text;
  }

  get line(): string {
    return `- ${this.text}\n`;
  }

  /** Tokens of its line. Lines can be counted separately, because no token spans a line break. */
  get tokens(): number {
    this.#tokens ??= countTokens(this.line);
    return this.#tokens;
  }

  /** Normalized words without day and source, equal for texts with the same wording. */
  get words(): string {
    this.#words ??= wordsOf(this.text.replace(NOTE, ""));
    return this.#words;
  }

  /** The form for the current work. */
  withFocus(focus: Focus): TextVariant {
    if (focus.key === this.#focus.key) return this;
    // Consecutive turns mostly have the same focus, so the last result is cached.
    const known = this.#focused;
    if (known !== undefined && known.#focus.key === focus.key) return known;
    this.#focused = new TextVariant(this.level, this.#write, focus);
    return this.#focused;
  }
}

/** Texts of a memory. */
export interface MemoryTexts {
  /** Forms by level, the longest first. */
  readonly variants: readonly TextVariant[];
  /** Normalized words of the full text. */
  readonly words: string;
  /** True for an episode whose work was not finished. */
  readonly isUnfinished?: boolean;
  /** Paths of the files that an episode changed. */
  readonly changed?: ReadonlySet<string>;
  /** Failures, each with its fix. */
  readonly fixes?: readonly string[];
}

/**
 * Texts of a memory by length. A fact is verbatim, or its first words. An episode has at most three lines, or its
 * title. Patterns and workflows are complete, or their summary. No text depends on the served level, so that
 * consolidation does not change it.
 */
export function textsOfMemory(memory: Memory): MemoryTexts {
  const words = wordsOf(memory.levels.full);
  if (memory.kind === "episode") return { ...textsOfEpisode(memory), words };
  const full = new TextVariant("full", ({ files }) => textOfLevel(memory, "full", files));
  const summary = new TextVariant("summary", ({ files }) => textOfLevel(memory, "summary", files));
  const isLong = memory.levels.full.length > MAX_FULL_LENGTH;
  if (memory.kind === "fact") return { variants: [isLong ? summary : full, ...firstWords(memory)], words };
  return { variants: isLong ? [summary] : [full, summary], words, fixes: fixesIn(memory) };
}

/** All lines, at most three lines, and the title alone. */
function textsOfEpisode(memory: Memory): Omit<MemoryTexts, "words"> {
  const { title, outcome, summary, body, statements, isUnfinished } = episodeLines(memory);
  const heading = withNote(title, memory, namesOf(recordsOf(memory), `${title} ${outcome}`));
  const changed = new Set(memory.artifacts.filter(({ type }) => type === "file").map(({ ref }) => cleanPath(ref)));
  const changes = ({ files }: Focus, text: string): string => {
    const named = groupPaths(files.filter((file) => !text.includes(file)).map((file) => asData(file, MAX_NAME_LENGTH)));
    return named === "" ? "" : `Changed: ${named}${changed.size > files.length ? " and more" : ""}`;
  };
  const inFull = (focus: Focus): string => {
    const specific = specificStatements(statements, focus, MAX_STATEMENTS.full);
    return lines([heading, outcome, ...body, changes(focus, title), ...specific.map((text) => `- ${text}`)]);
  };
  const inThreeLines = (focus: Focus): string => {
    const { most, least, together } = MAX_STATEMENTS.others;
    const maxLength = Math.max(least, Math.min(most, Math.floor(together / focus.episodes)));
    const specific = specificStatements(statements, focus, maxLength).join(" ");
    // The summary of an episode of other work says little here.
    const decided = specific === "" && (focus.isRelated || statements.length === 0) ? summary : specific;
    const ended = [outcome, changes(focus, `${title} ${decided}`)].filter((piece) => piece !== "").join(" ");
    return lines([heading, ended, decided]);
  };
  return {
    variants: [
      new TextVariant("full", inFull),
      new TextVariant("summary", inThreeLines),
      new TextVariant("compressed", () => heading),
    ],
    isUnfinished,
    changed,
    fixes: fixesIn(memory),
  };
}

function lines(some: readonly string[]): string {
  return some.filter((line) => line !== "").join("\n  ");
}

/** The first words of a long fact, verbatim. */
function firstWords(memory: Memory): readonly TextVariant[] {
  const words = asData(memoryText(memory, "full"), MAX_LINE_LENGTH).split(" ");
  if (words.length <= MAX_WORDS + 2) return [];
  return [new TextVariant("compressed", () => withNote(`${words.slice(0, MAX_WORDS).join(" ")} …`, memory))];
}

/** Text of a level with its line breaks. Source, day, records and files are in the first line. */
function textOfLevel(memory: Memory, level: Level, files: readonly string[]): string {
  const whole = memoryText(memory, level);
  const [first = "", ...rest] = whole
    .replace(LIST_MARK, "")
    .split("\n")
    .map(asLine)
    .filter((line) => line.trim() !== "");
  const named = namesOf([...recordsOf(memory), ...files], whole);
  return [withNote(first, memory, named), ...rest].join("\n  ");
}

/** Keeps the indentation of a line, because some languages give it a meaning. */
function asLine(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return `${indent.replaceAll("\t", "  ").slice(0, MAX_DEPTH)}${asData(line, MAX_LINE_LENGTH)}`;
}

const MAX_SPEAKER_LENGTH = 40;

/** Adds names, source and day to the first line of a text. A text that has the day gets the names alone. */
function withNote(line: string, memory: Memory, names = ""): string {
  const day = new Date(memory.lastSeenAt).toISOString().slice(0, 10);
  const seen = line.includes(day) ? [] : [[...sourceOf(memory), day].join(" ")];
  const pieces = [...(names === "" ? [] : [names]), ...seen];
  const note = pieces.length === 0 ? "" : ` (${pieces.join("; ")})`;
  return line.endsWith(":") ? `${line.slice(0, -1)}${note}:` : `${line}${note}`;
}

/** Speaker of a fact, or the way it was saved. Headings name the source of memories of other kinds. */
function sourceOf({ kind, byHand, source }: Memory): readonly string[] {
  if (byHand || (kind === "fact" && source.messageId === undefined)) return ["saved"];
  if (kind !== "fact") return [];
  return [asData(source.speaker ?? "user", MAX_SPEAKER_LENGTH).replace(/[();]/g, "")];
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]).join(" ");
}

/** An utterance as a quotation. */
export function textsOfUtterance(hit: RecallHit): MemoryTexts {
  return { variants: [new TextVariant("full", () => asQuotation(hit))], words: wordsOf(hit.text) };
}

/** Paths of files on one line, those of a folder together. */
export function textsOfFiles(paths: readonly string[]): MemoryTexts {
  const text = groupPaths(paths.map((path) => asData(path, MAX_NAME_LENGTH)));
  return { variants: [new TextVariant("full", () => text)], words: paths.join(" ") };
}

/** The two memories of a contradiction on one line, at each level. */
export function textsOfPair(a: readonly TextVariant[], b: readonly TextVariant[]): readonly TextVariant[] {
  const at = (variants: readonly TextVariant[], level: Level): TextVariant | undefined =>
    variants.find((form) => LEVELS.indexOf(form.level) >= LEVELS.indexOf(level)) ?? variants.at(-1);
  const levels = LEVELS.filter((level) => [...a, ...b].some((form) => form.level === level));
  return levels.flatMap((level) => {
    const [one, other] = [at(a, level), at(b, level)];
    return one === undefined || other === undefined
      ? []
      : [new TextVariant(level, () => `${quote(one)} ↔ ${quote(other)}`)];
  });
}

/** A text in quotation marks, followed by its source and day. */
function quote({ text }: TextVariant): string {
  const note = NOTE.exec(text)?.[0] ?? "";
  return `“${text.replace(NOTE, "")}”${note}`;
}

/** Decision records and pull requests of a memory. */
function recordsOf({ artifacts }: Memory): readonly string[] {
  const records = artifacts.filter(({ type }) => type === "adr" || type === "pr").map(({ ref }) => ref);
  return records.slice(0, MAX_RECORDS);
}

/** Names that a text does not contain, separated by commas. */
function namesOf(names: readonly string[], text: string): string {
  return names
    .filter((name) => !text.includes(name))
    .slice(0, MAX_NAMES)
    .map((name) => asData(name, MAX_NAME_LENGTH))
    .join(", ");
}

const MAX_FIX_LENGTH = 400;
const MAX_FIX_FILES = 4;
/** Minimum share of the words of an error that its earlier occurrence has. */
const MIN_SHARE = 0.5;

/**
 * The fix of an error that equals one of the current ones, with the files of its session, instead of the whole memory.
 * Undefined if an episode or workflow has no such fix. A fact is returned unchanged.
 */
export function withFailure(texts: MemoryTexts, errors: readonly string[]): MemoryTexts | undefined {
  if (texts.fixes === undefined) return texts;
  const alike = mostAlike(texts.fixes, errors);
  if (alike === undefined) return undefined;
  const title = texts.variants.at(-1)?.text.split("\n")[0] ?? "";
  const write = ({ files }: Focus): string => {
    const named = files.slice(0, MAX_FIX_FILES).map((file) => asData(file, MAX_NAME_LENGTH));
    return [asData(alike, MAX_FIX_LENGTH), title, ...(named.length === 0 ? [] : [`Files: ${named.join(", ")}`])].join(
      "\n  ",
    );
  };
  return { words: alike, variants: [new TextVariant("summary", write)] };
}

function mostAlike(fixes: readonly string[], errors: readonly string[]): string | undefined {
  let best: { readonly fix: string; readonly share: number } | undefined;
  for (const error of errors) {
    const words = termHashes(error);
    for (const fix of fixes) {
      const shared = new Set(readTerms(fix).flatMap(({ hash }) => (words.has(hash) ? [hash] : [])));
      const share = shared.size / Math.max(1, words.size);
      if (share >= MIN_SHARE && share > (best?.share ?? 0)) best = { fix, share };
    }
  }
  return best?.fix;
}
