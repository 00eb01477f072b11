import { findSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { agree, toThirdPerson } from "../../language/third-person.ts";
import { wordSet } from "../../language/words.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { hasModelInstructions } from "../extract/extract-turn.ts";
import { normalizeFact } from "../facts/normalize-fact.ts";
import { type PasteEntry, type PasteSection, readPasteLines } from "./read-paste-lines.ts";

/** A fact in a pasted text. It is not saved yet. */
export interface PastedFact {
  /** Text of the fact, in the third person: "User lives in Lisbon". */
  readonly text: string;
  readonly category: FactCategory;
  /** Date of the fact, if the text has one, in milliseconds since 1970. */
  readonly at?: number;
  /** Entry of the pasted text that the fact comes from. */
  readonly quote: string;
}

/** Reason why a line of a pasted text is skipped. */
export type SkipReason =
  | "boilerplate"
  | "duplicate"
  | "instruction"
  | "no-fact"
  | "question"
  | "secret"
  | "too-long"
  | "too-many";

/** A skipped line of a pasted text. */
export interface SkippedPaste {
  /** Line number, from 1. */
  readonly line: number;
  readonly reason: SkipReason;
  /** First 120 characters of the line. Missing if it contains a secret. */
  readonly text?: string;
}

/** Facts in a pasted text, and the lines that are not facts. */
export interface PastedMemories {
  readonly facts: readonly PastedFact[];
  readonly skipped: readonly SkippedPaste[];
}

const MAX_CHARACTERS = 400_000;
const MAX_FACTS = 2_000;
const MAX_FACT_LENGTH = 600;
const MAX_SHOWN_LENGTH = 120;
/** Characters scanned for secrets: more than the longest fact, and more than is shown of a skipped line. */
const MAX_SECRET_SCAN = 20_000;

/** Texts of assistants and of their settings pages around a list of memories. */
const BOILERPLATE =
  /^(?:(?:sure|of course|certainly|absolutely|okay|got it|great)\b[^a-z]*(?:here\b.*)?|here(?:['’]s| is| are)\b.*(?:remember|know|memor|stored|saved|summary|list|export|learned|context).*|(?:saved |manage |your |all |stored )*memor(?:y|ies)(?: updated| full)?|(?:this|that)(?:['’]s| is| was)\b.*\b(?:all|complete|everything|entire|full)\b.*|.*\b(?:complete|full) (?:set|list|export) of (?:the |my |your |all )*(?:stored |saved )?(?:memor|entr|context).*|no (?:other|further|more|additional) (?:memor|entr).*|(?:please )?let me know\b.*|(?:would|do) you (?:like|want)\b.*|if you(?:['’]d)? (?:like|want)\b.*|(?:delete|forget|edit|close|done|search memories|reset memory|clear memory|model set context|assistant response preferences|notable past conversation topic highlights|helpful user insights|user interaction metadata|updated \w+ ago|last updated.*|confirmed\b.*|none|n\/a)[.:]?|confidence ?= ?\w+\.?)$/i;
const INSTRUCTION =
  /^(?:please )?(?:always|never|do not|don['’]t|avoid|from now on|in (?:the )?future|call me|refer to me|address me|when (?:i|responding|answering|writing))\b/i;
/** Start of a statement about the user. Below a heading for instructions, such a line is not an instruction. */
const ABOUT_USER = /^(?:the )?(?:user|i|i['’]m|i['’]ve|my|you|your|they|he|she)\b/i;
const LABELS =
  /^(?:full |first |preferred )?(?:name|location|age|job|occupation|profession|role|job title|employer|company|time ?zone|birthday|hometown|native language|nickname|city)$/i;
const PREFERENCE =
  /\b(?:prefers?|preferred|likes?|loves?|enjoys?|dislikes?|hates?|favou?rite|fond of|fan of|wants? (?:answers|responses|replies|the assistant|chatgpt|claude|me to|concise|short|detailed))\b/i;
const PROJECT =
  /\b(?:(?:is|are|been|currently|started) (?:working on|building|developing|writing|planning|preparing|launching|creating|designing|migrating|researching)|projects?|deadline|codebase|repository|roadmap|milestone)\b/i;

/**
 * Finds facts in a pasted text: the saved memories of ChatGPT, its answer to "What do you remember about me?", the
 * memory summary of Claude, dated lines such as `[2024-05-01] - …`, a Markdown export of Throughline, or any list of
 * facts. Secrets, questions and attempts to instruct a model are skipped. Nothing is saved; `tl.memory.import` also
 * saves.
 *
 * @param pasted The text. Only its first 400,000 characters are read, and at most 2,000 facts of up to 600 characters
 *   are
 *   returned.
 * @returns The facts, and the skipped lines with the reason.
 *
 * @example
 * readPastedMemories("[2024-05-01] - You live in Lisbon.").facts[0]?.text; // "User lives in Lisbon"
 */
export function readPastedMemories(pasted: string): PastedMemories {
  const facts = new Map<string, PastedFact>();
  const skipped: SkippedPaste[] = [];
  const text = stripInvisible(pasted.slice(0, MAX_CHARACTERS)).replace(/\r\n?/g, "\n");
  const { entries, isSummary } = readPasteLines(text);
  const name = isSummary ? findSubjectName(entries.map((entry) => entry.text)) : undefined;
  if (name !== undefined) {
    const [first] = entries;
    const statement = { text: `User's name is ${name}`, category: "identity" as const, quote: first?.text ?? name };
    facts.set(normalizeFact(statement.text), statement);
  }
  for (const entry of entries) {
    const reason = facts.size >= MAX_FACTS ? "too-many" : refuse(entry);
    const fact = reason === undefined ? toFact(entry, name) : undefined;
    const key = fact === undefined ? "" : normalizeFact(fact.text);
    if (fact === undefined) skipped.push(toSkipped(entry, reason ?? "no-fact"));
    else if (facts.has(key)) skipped.push(toSkipped(entry, "duplicate"));
    else facts.set(key, fact);
  }
  if (pasted.length > MAX_CHARACTERS) skipped.push({ line: text.split("\n").length, reason: "too-many" });
  return { facts: [...facts.values()], skipped };
}

function refuse({ text, section }: PasteEntry): SkipReason | undefined {
  if (findSecrets(text.slice(0, MAX_SECRET_SCAN)).length > 0) return "secret";
  if (text.length > MAX_FACT_LENGTH) return "too-long";
  if (BOILERPLATE.test(text)) return "boilerplate";
  if (hasModelInstructions(text) || isMachineInstruction(text, isInstruction(text, section))) return "instruction";
  if (/\?["')]*$/.test(text)) return "question";
  return /\p{L}.*[\s:].*[\p{L}\p{N}]/u.test(text) ? undefined : "no-fact";
}

function toFact({ text, at, section }: PasteEntry, name: string | undefined): PastedFact {
  const statement = name === undefined ? statementOf(text, section) : namedToUserStatement(text, name);
  const category = isInstruction(text, section) ? "preference" : categorize(statement, section);
  return omitUndefined({ text: statement, category, at, quote: text });
}

function isInstruction(text: string, { hasInstructions }: PasteSection): boolean {
  return INSTRUCTION.test(text) || (hasInstructions && !ABOUT_USER.test(text));
}

function statementOf(text: string, section: PasteSection): string {
  const [, label = "", value = ""] = /^([\p{L} ]{3,30}): (.+)$/u.exec(text) ?? [];
  if (LABELS.test(label)) return `User's ${label.toLowerCase()} is ${value.replace(/[.]$/, "")}`;
  if (!isInstruction(text, section)) return toUserStatement(text);
  const instruction = text.replace(/^please /i, "").replace(/[.]$/, "");
  return instruction.charAt(0).toUpperCase() + instruction.slice(1);
}

/** A category from the heading, or from the words of the text if the heading is general. */
function categorize(text: string, { category, hasInstructions }: PasteSection): FactCategory {
  if (hasInstructions || PREFERENCE.test(text)) return "preference";
  if (category === "preference" || category === "project") return category;
  return PROJECT.test(text) ? "project" : (category ?? "identity");
}

function toSkipped({ line, text }: PasteEntry, reason: SkipReason): SkippedPaste {
  return omitUndefined({ line, reason, text: reason === "secret" ? undefined : text.slice(0, MAX_SHOWN_LENGTH) });
}

/** Verbs of instructions about answers. An instruction with another verb asks for an action. */
const ANSWER_VERBS = wordSet(`
  abbreviate add address answer apologise apologize ask assume avoid be begin bold break call capitalise capitalize challenge check cite clarify comment
  compare consider convert correct define describe elaborate emphasise emphasize end explain express flatter focus follow format give greet
  guess hedge help highlight include keep lecture limit list make mention moralise moralize number offer organise organize outline
  paraphrase praise prefer present prioritise prioritize provide quote recommend refer remember remind repeat reply respond rhyme round say show simplify sound
  speak spell start state stay structure suggest summarise summarize talk teach tell think translate treat use vary word write`);
/** Words before the verb of an instruction. */
const LEAD_IN =
  /^(?:(?:please|kindly|always|never|only|just|also|ever|do not|don['’]t|from now on|in (?:the )?future|by default|going forward|make sure to|be sure to|ensure to),? )+/i;
const CONDITION = /^(?:when|whenever|if|before|after|while)\b[^,]{1,200},\s*(?:then )?/i;
const CONDITION_ONLY = /^(?:when|whenever) (?:i|responding|answering|writing|explaining|coding)\b/i;
/** An instruction in reported speech: "wants ChatGPT to send …". */
const REPORTED_INSTRUCTION =
  /\b(?:wants?|wanted|prefers?|likes?|needs?|expects?|asked|asks|told|tells|requires?|instructed|would like)\b[^.]{0,40}?\b(?:(?:the |an? |its? |any )?(?:assistants?|chat ?gpt|gpt|claude|gemini|ai|model|agent|bot|you|me|it|system))\s+(?:to )?(?<instruction>[a-z].*)$/i;
/** Destination or source of an action: URL, e-mail address, IP address, path, script. */
const TARGET =
  /https?:|www\.|[^\s@]@[^\s@]{1,253}\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)(?:~?\/|\.\/|[A-Z]:\\)[\w.-]|\b[\w-]+\.(?:sh|exe|example|onion)\b/i;
const ACTION_VERB =
  /\b(?:send|sends|sent|sending|forward(?:s|ed)?|upload(?:s|ed)?|post(?:s|ed)? (?:to|it|them)|exfiltrate|transmit(?:s|ted)?|execute[sd]?|runs?|delete[sd]?|install(?:s|ed)?|download(?:s|ed)?|fetch(?:es|ed)?|visit(?:s|ed)?|curl|wget|deploy(?:s|ed)?|push(?:es|ed)?|e-?mail(?:s|ed)? (?:to|it|them|all)|transfer(?:s|red)?|grant(?:s|ed)?|approve[sd]?|disable[sd]?|bypass(?:es|ed)?)\b/i;
const ACTION_VERB_FIRST =
  /^(?:please |kindly )?(?:send|forward|upload|post|execute|run|delete|install|download|fetch|visit|deploy|push|transfer|grant|approve|disable|bypass)\b/i;
const OBLIGATION = /\b(?:always|never|must|should|has to|have to|wants?|needs? to|shall)\b/i;

/**
 * True if a line of a pasted text asks a machine for an action, such as sending data or running a command. Instructions
 * about how to answer the user are allowed.
 *
 * @param isInstruction True if the whole line is an instruction, by its wording or its heading.
 */
function isMachineInstruction(line: string, isInstruction: boolean): boolean {
  if (isInstruction) return !isAboutAnswers(line);
  if (ACTION_VERB_FIRST.test(line)) return true;
  const reported = REPORTED_INSTRUCTION.exec(line)?.groups?.instruction;
  if (reported !== undefined && !isAboutAnswers(reported)) return true;
  return TARGET.test(line) && OBLIGATION.test(line) && ACTION_VERB.test(line);
}

function isAboutAnswers(instruction: string): boolean {
  if (TARGET.test(instruction) || ACTION_VERB.test(instruction)) return false;
  const plain = instruction.trim().replace(LEAD_IN, "");
  const main = plain.replace(CONDITION, "").replace(LEAD_IN, "");
  const verb = /^[a-z]+/i.exec(main)?.[0].toLowerCase() ?? "";
  return ANSWER_VERBS.has(verb) || (main === plain && CONDITION_ONLY.test(plain));
}

const SECOND_PERSON: readonly (readonly [RegExp, string])[] = [
  [/^You(?:['’]re| are)\b/i, "I am"],
  [/^You(?:['’]ve| have)\b/i, "I have"],
  [/^You\b/i, "I"],
  [/^Your\b/i, "My"],
  [/\byou(?:['’]re| are)\b/gi, "I am"],
  [/\byou(?:['’]ve| have)\b/gi, "I have"],
  [/\byourself\b/gi, "myself"],
  [/\byours\b/gi, "mine"],
  [/\byour\b/gi, "my"],
  [/\b(to|for|with|of|about|from|by|at|help|helps|give|gives|tell|tells|call|calls|let|lets) you\b/gi, "$1 me"],
  [/\byou\b/gi, "I"],
];

/**
 * Rewrites a line of a pasted export as a statement about the user.
 *
 * @example
 * toUserStatement("You prefer short answers."); // "User prefers short answers"
 */
function toUserStatement(line: string): string {
  return toThirdPerson(/^your?\b/i.test(line) ? asFirstPerson(line) : line);
}

function asFirstPerson(line: string): string {
  let text = line;
  for (const [second, first] of SECOND_PERSON) text = text.replace(second, first);
  return text;
}

const PRONOUN = /^(?:He|She|They)(?:['’](?:s|re|ve))?\b/;
const PLURAL: Readonly<Record<string, string>> = { are: "is", have: "has", were: "was", do: "does" };

/** The name that the first sentence of a summary starts with, if at least one more sentence starts with it. */
function findSubjectName(sentences: readonly string[]): string | undefined {
  const name = /^(\p{Lu}[\p{Ll}'’-]+)(?:['’]s)? (?:\p{Lu}[\p{Ll}-]+ )?\p{Ll}/u.exec(sentences[0] ?? "")?.[1];
  if (name === undefined || /^(?:User|The|They|She|He|This|That|In|At|As|For|With|Their|His|Her|It)$/.test(name))
    return undefined;
  return sentences.filter((sentence) => beginsWith(sentence, name)).length >= 2 ? name : undefined;
}

/** Rewrites a sentence about a person by name as a statement about the user. */
function namedToUserStatement(sentence: string, name: string): string {
  if (beginsWith(sentence, name)) {
    const rest = sentence.slice(name.length);
    return `User${/^ \p{Lu}[\p{Ll}-]+ \p{Ll}/u.test(rest) ? rest.replace(/^ \p{Lu}[\p{Ll}-]+/u, "") : rest}`.replace(
      /[.]$/,
      "",
    );
  }
  const text = sentence.replace(/^(?:His|Her|Their)\b/, "User's").replace(/[.]$/, "");
  if (!PRONOUN.test(text)) return text;
  const isPlural = text.startsWith("They");
  const rest = text
    .replace(/^They['’]re\b/, "They are")
    .replace(/^They['’]ve\b/, "They have")
    .replace(/^(?:He|She)['’]s\b/, "He is")
    .replace(/^(?:He|She|They)\b/, "User");
  return isPlural ? rest.replace(/^User ([a-z]+)\b/, (_all, verb: string) => `User ${agreeWithUser(verb)}`) : rest;
}

function agreeWithUser(verb: string): string {
  return PLURAL[verb] ?? (verb.endsWith("ly") ? verb : agree(verb));
}

function beginsWith(sentence: string, name: string): boolean {
  return sentence.startsWith(`${name} `) || sentence.startsWith(`${name}'s `) || sentence.startsWith(`${name}’s `);
}
