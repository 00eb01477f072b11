import process from "node:process";
import { styleText } from "node:util";
import { type Command, Option } from "commander";
import type { MemoryKind, MemoryScope, Message, RecallHit, RecallOptions } from "throughline";
import { messageText, omitUndefined } from "throughline/internal";
import { withFoundSession } from "../data/find-session.ts";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { moment } from "../format-values.ts";
import { notesOf, originOf } from "../memories/describe-memory.ts";
import {
  allProjectsOption,
  dateUntil,
  jsonOption,
  kindOption,
  projectOption,
  scopeOption,
  wholeNumber,
} from "../options.ts";
import { printJson } from "../print-json.ts";
import { printable, printableLine } from "../printable.ts";
import { UsageError } from "../usage-error.ts";

const SOURCES = ["memories", "turns", "both"] as const;

interface RecallCommandOptions extends DataOptions {
  readonly session?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly from?: (typeof SOURCES)[number];
  readonly kind?: MemoryKind;
  readonly scope?: MemoryScope;
  readonly asOf?: number;
  readonly budget?: number;
  readonly json?: boolean;
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
  if (options.json) process.stdout.write(printJson({ question, hits: hits ?? [] }));
  else process.stdout.write(hits === undefined ? nothingRemembered(options) : printHits(question, hits));
}

const MAX_TEXT_LENGTH = 400;
const HANDLE = /^(?:(?:part|messages?):\S+|\S*compaction-\d+)$/;

/** Prints the results, best first, each with its reasons and its source. */
function printHits(question: string, hits: readonly RecallHit[]): string {
  if (hits.length === 0) return nothingFits(question);
  return `${hits.flatMap(printHit).join("\n")}\n`;
}

function printHit({ type, id, text, reasons, source, memory }: RecallHit, at: number): string[] {
  const kind = memory === undefined ? "said" : (memory.category ?? memory.kind);
  const origin = originOf(source) || (memory?.byHand ? "entered by hand" : "");
  const notes = memory === undefined ? [] : notesOf(memory);
  const from = [kind, origin, ...notes, type === "memory" ? printableLine(id) : `utterance ${printableLine(id)}`];
  const why = reasons.map((reason) => printableLine(reason)).join("; ");
  return [
    `${`${at + 1}.`.padEnd(4)}${styleText("bold", printableLine(text, MAX_TEXT_LENGTH))}`,
    ...(why === "" ? [] : [`    why   ${why}`]),
    `    from  ${styleText("dim", from.filter((part) => part !== "").join(" · "))}`,
  ];
}

function nothingFits(question: string): string {
  const handle = HANDLE.test(question.trim()) ? " To open a handle, add --session with its session id." : "";
  return `No matches. --all includes weak ones.${handle}\n`;
}

/** Prints the content of a handle. */
async function recallHandle(
  session: string,
  handle: string,
  options: DataOptions & { readonly json?: boolean },
): Promise<void> {
  const recalled = await withFoundSession(session, options, ({ throughline, key }) =>
    throughline.session(key.sessionId).recall(handle),
  );
  if (options.json) process.stdout.write(printJson(recalled));
  else for (const message of recalled.messages) process.stdout.write(printMessage(message));
}

function printMessage(message: Message): string {
  const head = [message.role, printableLine(message.id), moment(message.createdAt)].join(" · ");
  return `${styleText("bold", head)}\n${printable(messageText(message))}\n\n`;
}
