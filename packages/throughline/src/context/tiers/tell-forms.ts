import { asData, asQuotation } from "../../memory/service/data-block.ts";
import type { RecallHit } from "../../memory/service/memory-api.ts";
import { memoryText } from "../../memory/service/memory-text.ts";
import type { Memory, MemoryKind, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { Tier } from "../context-api.ts";

export type Level = keyof MemoryLevels;

const LEVELS: readonly Level[] = ["full", "summary", "compressed", "index"];
/** A longer text is served as its summary, because a truncated one is hard to understand. */
const MAX_FULL_LENGTH = 8_000;
const MAX_LINE_LENGTH = 2_000;
const DEEPEST = 24;
const MAX_RECORDS = 2;
const MAX_FILES = 3;
const MAX_NAME_LENGTH = 160;

/** Text of a memory at one level. It is rendered and counted lazily. */
export class Form {
  readonly level: Level;
  readonly #write: () => string;
  #text: string | undefined;
  #tokens: number | undefined;
  #words: string | undefined;
  #extended: { readonly files: string; readonly form: Form } | undefined;

  constructor(level: Level, write: () => string) {
    this.level = level;
    this.#write = write;
  }

  get text(): string {
    this.#text ??= this.#write();
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

  /** Normalized words, equal for texts with the same wording. */
  get words(): string {
    this.#words ??= wordsOf(this.text);
    return this.#words;
  }

  /** The form followed by files that its text does not contain. Short levels stay unchanged. */
  withFiles(files: readonly string[]): Form {
    if (files.length === 0 || this.level === "compressed" || this.level === "index") return this;
    const key = files.join("\n");
    // Consecutive turns mostly ask for the same files, so the last result is cached.
    if (this.#extended?.files === key) return this.#extended.form;
    const isNew = (file: string): boolean => !this.text.includes(file);
    const form = new Form(this.level, () => `${this.text}${inBrackets(files.filter(isNew), MAX_FILES)}`);
    this.#extended = { files: key, form };
    return form;
  }
}

/** Texts of a memory. */
export interface Told {
  /** Forms by level, the longest first. */
  readonly forms: readonly Form[];
  /** Normalized words of the full text. */
  readonly words: string;
}

export function tellForms(memory: Memory): Told {
  const { levels, servedLevel = "full" } = memory;
  const allowed = LEVELS.slice(LEVELS.indexOf(servedLevel)).filter(
    (level) => level !== "full" || levels.full.length <= MAX_FULL_LENGTH,
  );
  return {
    forms: allowed.map((level) => new Form(level, () => tellLevel(memory, level))),
    words: wordsOf(levels.full),
  };
}

/** Text of a level. Line breaks are kept, except in the short levels. */
function tellLevel(memory: Memory, level: Level): string {
  const whole = memoryText(memory, level);
  const isShort = level === "compressed" || level === "index";
  const lines = isShort ? [whole] : whole.split("\n");
  const told = lines.map(asLine).filter((line) => line.trim() !== "");
  return `${told.join("\n  ")}${isShort ? "" : recordsBeside(memory, whole)}`;
}

/** Keeps the indentation of a line, because some languages give it a meaning. */
function asLine(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return `${indent.replaceAll("\t", "  ").slice(0, DEEPEST)}${asData(line, MAX_LINE_LENGTH)}`;
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]).join(" ");
}

/** An utterance as a quotation. */
export function tellSaid(hit: RecallHit): Told {
  return { forms: [new Form("full", () => asQuotation(hit))], words: wordsOf(hit.text) };
}

/** The two memories of a contradiction on one line, at each level. */
export function tellPair(a: readonly Form[], b: readonly Form[]): readonly Form[] {
  const at = (forms: readonly Form[], level: Level): Form | undefined =>
    forms.find((form) => LEVELS.indexOf(form.level) >= LEVELS.indexOf(level)) ?? forms.at(-1);
  const levels = LEVELS.filter((level) => [...a, ...b].some((form) => form.level === level));
  return levels.flatMap((level) => {
    const [one, other] = [at(a, level), at(b, level)];
    return one === undefined || other === undefined ? [] : [new Form(level, () => `“${one.text}” ↔ “${other.text}”`)];
  });
}

/**
 * Levels at which a memory may be included in a tier: facts at all levels; episodes from the summary down, unless they
 * are about the current work; in the background, everything but facts as one line. If an old memory has none of these
 * levels, its longest one is used.
 */
export function formsFor(
  tier: Exclude<Tier, "index">,
  kind: MemoryKind,
  isClose: boolean,
  forms: readonly Form[],
): readonly Form[] {
  const richest = richestIn(tier, kind, isClose);
  const [from, to] = [LEVELS.indexOf(richest), LEVELS.indexOf("compressed")];
  const suitable = forms.filter(({ level }) => LEVELS.indexOf(level) >= from && LEVELS.indexOf(level) <= to);
  return suitable.length > 0 ? suitable : forms.slice(0, 1);
}

function richestIn(tier: Exclude<Tier, "index">, kind: MemoryKind, isClose: boolean): Level {
  // Facts are included verbatim if they fit, because a shortened rule may have another meaning.
  if (kind === "fact") return "full";
  if (tier === "background") return "compressed";
  return kind === "episode" && !isClose ? "summary" : "full";
}

/** Decision records, commits and pull requests of a memory that its text does not name. */
function recordsBeside({ artifacts }: Memory, text: string): string {
  const records = artifacts.filter(({ type }) => type !== "file").map(({ ref }) => ref);
  return inBrackets(
    records.filter((ref) => !text.includes(ref)),
    MAX_RECORDS,
  );
}

function inBrackets(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map((name) => asData(name, MAX_NAME_LENGTH));
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}
