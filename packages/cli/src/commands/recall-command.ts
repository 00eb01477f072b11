import { styleText } from "node:util";
import { type Command, Option } from "commander";
import type { MemoryKind, MemoryScope, Message, RecallHit, RecallOptions } from "throughline";
import { messageText, omitUndefined, readTerms, termHashes } from "throughline/internal/util";
import type { CommandOptions } from "../data/open-data.ts";
import { notesOf, nothingRemembered, originOf, withFoundSession, withStoredMemory } from "../data/stored-memory.ts";
import {
  allProjectsOption,
  dateUntil,
  jsonOption,
  kindOption,
  projectOption,
  scopeOption,
  wholeNumber,
} from "../terminal/options.ts";
import { moment, printable, printableLine, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

const SOURCES = ["memories", "turns", "both"] as const;

interface RecallCommandOptions extends CommandOptions {
  readonly session?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly from?: (typeof SOURCES)[number];
  readonly kind?: MemoryKind;
  readonly scope?: MemoryScope;
  readonly asOf?: number;
  readonly budget?: number;
}

export function addRecallCommand(program: Command): void {
  program
    .command("recall")
    .summary("Search memories")
    .description("Search memories and past utterances. With --session, print the content behind a handle.")
    .argument(
      "<question...>",
      "Question or keywords; with --session: part:ID, message:ID, messages:ID..ID or a compaction id",
    )
    .option("-n, --limit <number>", "Maximum results (default 10)", wholeNumber)
    .option("-a, --all", "Fill up to the limit, including weak matches")
    .addOption(new Option("--from <source>", "What to search (default: both)").choices(SOURCES))
    .addOption(kindOption("Only memories of this kind"))
    .addOption(scopeOption("Only memories of this scope"))
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .option("--as-of <date>", "Only what was true at this time (a day means its end)", dateUntil)
    .option("-b, --budget <tokens>", "Maximum tokens for all results together", wholeNumber)
    .option("-s, --session <id>", "Print the content of a handle of this session, verbatim")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nExamples:\n  throughline recall "When do we deploy?"\n  throughline recall database --from memories --as-of 2026-05-01\n  throughline recall compaction-1 --session 0276a600',
    )
    .action((words: string[], _, command: Command) => recall(words, command.optsWithGlobals()));
}

async function recall(words: readonly string[], options: RecallCommandOptions): Promise<void> {
  const { session } = options;
  if (session === undefined) return recallQuestion(words.join(" "), options);
  const [handle = "", ...more] = words;
  if (more.length > 0)
    throw new UsageError("--session takes exactly one handle.", "Give one handle, or remove --session.");
  const { limit, all, from, kind, scope, asOf, budget } = options;
  const [stray] = Object.entries({ limit, all, from, kind, scope, "as-of": asOf, budget }).filter(([, value]) => value);
  if (stray !== undefined) {
    throw new UsageError(
      `--${stray[0]} applies to searches and cannot be combined with --session.`,
      "Remove one of the two options.",
    );
  }
  return recallHandle(session, handle, options);
}

async function recallQuestion(question: string, options: RecallCommandOptions): Promise<void> {
  const { limit, all, from, kind, scope, asOf, budget } = options;
  const settings: RecallOptions = omitUndefined({
    limit,
    cut: all ? "none" : "calibrated",
    from,
    kinds: kind && [kind],
    scope,
    asOf,
    budget,
  });
  const hits = await withStoredMemory(options, (memory) => memory.recall(question, settings));
  printResult(options, { question, hits: hits ?? [] }, () =>
    hits === undefined ? nothingRemembered(options) : printHits(question, hits),
  );
}

const MAX_TEXT_LENGTH = 400;
/** Maximum characters of an utterance that are searched for its best passage. */
const MAX_SEARCHED_LENGTH = 20_000;
/** The marks before and after a passage. */
const MARKS_LENGTH = 4;
/** The white space after a sentence or a line. */
const SENTENCE_END = /(?<=[.!?。！？])\s+|\n+/u;
const HANDLE = /^(?:(?:part|messages?):\S+|\S*compaction-\d+)$/;

/** Prints the results, best first, each with its reasons and its source. */
function printHits(question: string, hits: readonly RecallHit[]): string {
  if (hits.length === 0) return nothingFits(question);
  return `${hits.flatMap((hit, at) => printHit(question, hit, at)).join("\n")}\n`;
}

function printHit(question: string, hit: RecallHit, at: number): string[] {
  const { type, id, reasons, source, memory } = hit;
  const kind = memory === undefined ? "said" : (memory.category ?? memory.kind);
  const origin = originOf(source) || (memory?.byHand ? "entered by hand" : "");
  const notes = memory === undefined ? [] : notesOf(memory);
  const from = [kind, origin, ...notes, type === "memory" ? printableLine(id) : `utterance ${printableLine(id)}`];
  const why = reasons.map((reason) => printableLine(reason)).join("; ");
  return [
    `${`${at + 1}.`.padEnd(4)}${styleText("bold", printableLine(shownText(hit, question), MAX_TEXT_LENGTH))}`,
    ...(why === "" ? [] : [`    why   ${why}`]),
    `    from  ${styleText("dim", from.filter((part) => part !== "").join(" · "))}`,
  ];
}

/** The displayed text of a result: its full text, or the summary of an episode. */
function shownText({ text, memory }: RecallHit, question: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const short = memory?.kind === "episode" ? memory.levels.summary : "";
  return short !== "" && short.length <= MAX_TEXT_LENGTH ? short : bestPassage(text, question);
}

/**
 * The whole sentences of a long text that have the most words of the question close together; its beginning if it has
 * none of them. A sentence is cut only if it does not fit alone.
 */
function bestPassage(text: string, question: string): string {
  const sentences = text.slice(0, MAX_SEARCHED_LENGTH).split(SENTENCE_END);
  const asked = termHashes(question);
  const found = sentences.map((sentence) => readTerms(sentence).flatMap(({ hash }) => (asked.has(hash) ? hash : [])));
  let best = { from: 0, words: 0 };
  found.forEach((own, from) => {
    const words = own.length === 0 ? 0 : countFrom(sentences, found, from);
    if (words > best.words) best = { from, words };
  });
  const rest = sentences.slice(best.from);
  const passage = wholeSentences(rest, MAX_TEXT_LENGTH - MARKS_LENGTH);
  const isCut = text.length > MAX_SEARCHED_LENGTH || passage.length < rest.join(" ").length;
  return `${best.from > 0 ? "… " : ""}${passage}${isCut ? " …" : ""}`;
}

/** The first sentences that fit; the first one cut at a word if it does not fit alone. */
function wholeSentences(sentences: readonly string[], maxLength: number): string {
  const [first = ""] = sentences;
  if (first.length > maxLength) return first.slice(0, maxLength).replace(/\s\S*$/u, "");
  let passage = first;
  for (const sentence of sentences.slice(1)) {
    if (passage.length + 1 + sentence.length > maxLength) break;
    passage = `${passage} ${sentence}`;
  }
  return passage;
}

/** Number of different words of the question in the sentences that are shown from this one on. */
function countFrom(sentences: readonly string[], found: readonly (readonly number[])[], from: number): number {
  const seen = new Set(found[from]);
  let length = sentences[from]?.length ?? 0;
  for (let at = from + 1; at < sentences.length; at += 1) {
    length += 1 + (sentences[at]?.length ?? 0);
    if (length > MAX_TEXT_LENGTH) break;
    for (const word of found[at] ?? []) seen.add(word);
  }
  return seen.size;
}

function nothingFits(question: string): string {
  const handle = HANDLE.test(question.trim()) ? " To open a handle, add --session with its session id." : "";
  return `No matches. --all includes weak ones.${handle}\n`;
}

/** Prints the content of a handle. */
async function recallHandle(session: string, handle: string, options: CommandOptions): Promise<void> {
  const recalled = await withFoundSession(session, options, ({ throughline, key }) =>
    throughline.session(key.sessionId).recall(handle),
  );
  printResult(options, recalled, () => recalled.messages.map(printMessage).join(""));
}

function printMessage(message: Message): string {
  const head = [message.role, printableLine(message.id), moment(message.createdAt)].join(" · ");
  return `${styleText("bold", head)}\n${printable(messageText(message))}\n\n`;
}
