import { asData, asQuotation } from "../../memory/service/data-block.ts";
import type { RecallHit } from "../../memory/service/memory-api.ts";
import { memoryText } from "../../memory/service/memory-text.ts";
import type { Memory, MemoryKind, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { Tier } from "../context-api.ts";

export type Level = keyof MemoryLevels;

const LEVELS: readonly Level[] = ["full", "summary", "compressed", "index"];
/** A text that is longer than this is told by its summary: a story cut in the middle tells nothing. */
const MAX_FULL_LENGTH = 8_000;
const MAX_LINE_LENGTH = 2_000;
const DEEPEST = 24;
const MAX_RECORDS = 2;
const MAX_FILES = 3;
const MAX_NAME_LENGTH = 160;

/** Something to say on a line of its own, and how long it is. What is never asked for is never written out. */
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

  /** Of its line. Lines are counted one by one: no token reaches over the end of one. */
  get tokens(): number {
    this.#tokens ??= countTokens(this.line);
    return this.#tokens;
  }

  /** The same for what is said in the same words. */
  get words(): string {
    this.#words ??= wordsOf(this.text);
    return this.#words;
  }

  /** The same with files behind it that it does not name, where there is room for them. */
  withFiles(files: readonly string[]): Form {
    if (files.length === 0 || this.level === "compressed" || this.level === "index") return this;
    const key = files.join("\n");
    // Mostly the same is asked for again, turn by turn: what was counted once need not be counted again.
    if (this.#extended?.files === key) return this.#extended.form;
    const isNew = (file: string): boolean => !this.text.includes(file);
    const form = new Form(this.level, () => `${this.text}${inBrackets(files.filter(isNew), MAX_FILES)}`);
    this.#extended = { files: key, form };
    return form;
  }
}

/** What a memory can say. */
export interface Told {
  /** The lengths at which it may be given out, the richest first. */
  readonly forms: readonly Form[];
  /** The words of all of it. */
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

/** Its lines stay lines, one below the other, where it is told in more than one. */
function tellLevel(memory: Memory, level: Level): string {
  const whole = memoryText(memory, level);
  const isShort = level === "compressed" || level === "index";
  const lines = isShort ? [whole] : whole.split("\n");
  const told = lines.map(asLine).filter((line) => line.trim() !== "");
  return `${told.join("\n  ")}${isShort ? "" : recordsBeside(memory, whole)}`;
}

/** How far a line stands in belongs to it: in some languages, it is what the code means. */
function asLine(line: string): string {
  const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
  return `${indent.replaceAll("\t", "  ").slice(0, DEEPEST)}${asData(line, MAX_LINE_LENGTH)}`;
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]).join(" ");
}

/** What somebody said, as it was said. */
export function tellSaid(hit: RecallHit): Told {
  return { forms: [new Form("full", () => asQuotation(hit))], words: wordsOf(hit.text) };
}

/** Two memories that cannot both be true, on one line, at the lengths that both have. */
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
 * The lengths at which a memory may stand in a tier: facts in all of them, stories by their summary unless they are about
 * what is worked on, and in the background all but facts by a line. Where none of those is left, because it is old and told
 * in short, what is left.
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
  // What somebody laid down is told in their words where there is room: a rule in half its words is another rule.
  if (kind === "fact") return "full";
  if (tier === "background") return "compressed";
  return kind === "episode" && !isClose ? "summary" : "full";
}

/** Decision records and changes that belong to it and that its words do not name. */
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
