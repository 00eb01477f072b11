import { oneLine } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import { asData } from "../../memory/recall/recall-block.ts";
import { memoryText } from "../../memory/staleness/mark-stale.ts";
import type { Memory } from "../../ports/memory.ts";
import { endSentence } from "../episodes/key-sentences.ts";
import { fileName } from "../file-paths.ts";

/** The current work, as far as it affects the text. */
export interface Focus {
  /** Files of the memory that no other text of the context names, those of the current work first. */
  readonly files: readonly string[];
  /** Names of the current work: identifiers, and files without their folders. */
  readonly names: ReadonlySet<string>;
  /** True if the memory is related to the current work. */
  readonly isRelated: boolean;
  readonly episodes: number;
  /** Equal for equal focuses. */
  readonly key: string;
}

/** An episode in at most three lines, and in more. */
interface EpisodeLines {
  readonly title: string;
  /** Outcome of the episode, and the next steps of unfinished work. Empty if unknown. */
  readonly outcome: string;
  /** Summary without the title. Empty if unknown. */
  readonly summary: string;
  /** Lines of the full text below the title, without those of the fields here. */
  readonly body: readonly string[];
  /** Sentences about decisions and findings, in order. */
  readonly statements: readonly Statement[];
  /** True if the work was not finished. */
  readonly isUnfinished: boolean;
}

/** A sentence about a decision or finding, with its identifiers and file names. */
interface Statement {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  /** True if it cannot be understood without the statement before it. */
  readonly isDependent: boolean;
}

const MAX_TITLE_LENGTH = 200;
const MAX_LINE_LENGTH = 400;
/** A line of an episode with its outcome, or with its next steps. */
const OUTCOME = /^Outcome: (.+)$/m;
const NEXT = /^Next: (.+)$/m;
const UNFINISHED = /^(?:partly|not) done\b/i;
/** Lines that are rendered from the fields of {@link EpisodeLines} or from the artifacts. */
const RENDERED = /^(?:Outcome|Next|Changed|Commits|Decided and found):/;
/** The request, which is omitted for finished work. */
const ASKED = /^Asked:/;
const STATEMENT = /^- /;
/** Text in bold type. */
const BOLD = /\*\*([^*\n]{1,300})\*\*/g;
/** A question, which led to the work but does not describe it. */
const ASKS =
  /[?？]\W{0,8}$|^“(?:(?:ok(?:ay)?|and|so|hm+)[, ]+)?(?:can|could|would|will|do|does|did|is|are|was|why|what|how|where|when|which|who|should|shall|question)\b/i;
/** Start of a sentence that points back: "This removes the dependency." */
const POINTS_BACK = /^[“"*(]*(?:this|that|these|those|it|its|they|their|he|she)\b(?! `)/i;
/** Date, commit and state after a title. */
const FACTS = / \([^()]{0,80}\)/;
const FACTS_AT_START = new RegExp(`^${FACTS.source}`);
const FACTS_AT_END = new RegExp(`${FACTS.source}$`);

/**
 * Title, outcome and decisions of an episode, from its full text and its summary. They do not depend on its served
 * level, so that consolidation does not change them.
 */
export function episodeLines(memory: Memory): EpisodeLines {
  const { levels } = memory;
  const full = memoryText(memory, "full");
  const [first = "", ...rest] = full.split("\n").filter((line) => line.trim() !== "");
  const summary = oneLine(memoryText(memory, "summary"), MAX_LINE_LENGTH);
  const outcome = OUTCOME.exec(full)?.[1] ?? "";
  const isUnfinished = UNFINISHED.test(outcome);
  const planned = isUnfinished ? NEXT.exec(full)?.[1] : undefined;
  // A task that was not begun has its request for its next step, which the title already contains.
  const next = planned !== undefined && isContainedIn(planned, [first.replace(FACTS_AT_END, "")]) ? undefined : planned;
  const { facts, sentences } = splitSummary(summary, first);
  // A story in one paragraph has no title. Its summary has the same content in fewer words.
  const isUntitled = rest.length === 0 && first.length > MAX_TITLE_LENGTH;
  const title = FACTS_AT_END.test(first) ? first : `${first}${facts}`;
  // The request adds nothing if it is the next step, or if the title is taken from it.
  const known = [next ?? "", first.replace(FACTS_AT_END, "")];
  const isNews = (line: string): boolean => !ASKED.test(line) || (isUnfinished && !isContainedIn(line, known));
  return {
    title: isUntitled ? asData(summary, MAX_LINE_LENGTH) : asData(title, MAX_TITLE_LENGTH),
    outcome: asData(next === undefined ? outcome : `${outcome} Next: ${endSentence(next)}`, MAX_LINE_LENGTH),
    summary: rest.length === 0 || levels.summary === levels.full ? "" : asData(sentences, MAX_LINE_LENGTH),
    body: rest
      .filter((line) => !RENDERED.test(line) && !STATEMENT.test(line) && isNews(line))
      .map((line) => asData(line, MAX_LINE_LENGTH)),
    statements: rest.filter((line) => STATEMENT.test(line)).flatMap(readStatements),
    isUnfinished,
  };
}

/** True if a line with a request has one of the texts in it, or is the start of one. */
function isContainedIn(line: string, texts: readonly string[]): boolean {
  const requestText = plainText(line.replace(ASKED, ""));
  return texts
    .map(plainText)
    .some((text) => text !== "" && (requestText.includes(text) || text.startsWith(requestText)));
}

/** A text in lower case without signs. */
function plainText(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** Sentences of a paragraph without questions. Those of the user are in quotation marks, each in its own. */
function readStatements(line: string): readonly Statement[] {
  let isQuoted = false;
  return splitSentences(line.replace(STATEMENT, "").replace(BOLD, "$1"))
    .map(({ text }) => {
      const start = isQuoted ? "“" : "";
      const [opened, closed] = [text.lastIndexOf("“"), text.lastIndexOf("”")];
      if (opened !== closed) isQuoted = opened > closed;
      return `${start}${text}${isQuoted ? "”" : ""}`;
    })
    .filter((text) => !ASKS.test(text))
    .map((text) => ({
      text: asData(text, MAX_LINE_LENGTH),
      names: workNames(text),
      isDependent: POINTS_BACK.test(text),
    }));
}

/** Identifiers of a text. A path counts as the name of its file. */
function workNames(text: string): ReadonlySet<string> {
  return new Set([...findIdentifiers(text).keys()].map(fileName));
}

/** Date, commit and state that a summary has after the title, and the sentences behind them. */
function splitSummary(summary: string, heading: string): { readonly facts: string; readonly sentences: string } {
  const title = heading.replace(FACTS_AT_END, "").trim();
  if (title === "" || !summary.startsWith(title)) return { facts: "", sentences: summary };
  const behind = summary.slice(title.length);
  const [facts = ""] = FACTS_AT_START.exec(behind) ?? [];
  return { facts, sentences: behind.slice(facts.length).replace(/^[.:,;]?\s*/, "") };
}

/** Weight of a name of the current work in a statement, and maximum number of other names that count. */
const OF_WORK = 3;
const MAX_OTHERS = 2;

/**
 * The most specific statements within a number of characters, in their order: those that name something of the current
 * work, then those that name anything. Statements without names are left out, and those that point back to one that is
 * left out.
 *
 * @param focus names of the current work; `isRelated` is false if the episode has nothing to do with it
 */
export function specificStatements(
  statements: readonly Statement[],
  { names: wanted, isRelated }: Pick<Focus, "names" | "isRelated">,
  maxLength: number,
): readonly string[] {
  const weigh = ({ names }: Statement): number => {
    const ofWork = [...names].filter((name) => wanted.has(name)).length;
    return OF_WORK * ofWork + Math.min(MAX_OTHERS, names.size);
  };
  const ranked = statements
    .map((statement, place) => ({ text: statement.text, place, weight: weigh(statement) }))
    .filter(({ weight }) => weight > (isRelated ? 0 : MAX_OTHERS))
    .sort((a, b) => b.weight - a.weight || a.place - b.place);
  let left = maxLength;
  const chosen = new Set(
    ranked
      .filter(({ text }) => {
        if (text.length > left) return false;
        left -= text.length + 1;
        return true;
      })
      .map(({ place }) => place),
  );
  // In order, so that a chain of statements that point back ends with its first one.
  for (const [place, { isDependent }] of statements.entries()) {
    if (isDependent && !chosen.has(place - 1)) chosen.delete(place);
  }
  return statements.filter((_, place) => chosen.has(place)).map(({ text }) => text);
}

/** Line of an episode with its failures and fixes. */
const FAILED = /(?<!\n[^\S\n]*\n)^\s*Failed: (.+)$/m;
const BETWEEN = "; ";
/** Line of a workflow with a failure that the same command fixed several times. */
const HELPED = /^If \S{1,40} fails with .+$/gm;
const ARROW = " → ";
/** A repetition, or changes to files in between, do not explain a success. */
const UNEXPLAINED = /^worked (?:when tried again|after changes to)\b/;

/** Failures in an episode or a workflow, each with its fix. */
export function fixesIn({ kind, levels }: Memory): readonly string[] {
  if (kind === "workflow") return levels.full.match(HELPED) ?? [];
  return (FAILED.exec(levels.full)?.[1]?.split(BETWEEN) ?? []).filter((failure) => {
    return failure.split(ARROW).slice(1).some(explainsFix);
  });
}

/** True if the text about the success after a failure describes the fix. */
export function explainsFix(resolved: string): boolean {
  return resolved.trim() !== "" && !UNEXPLAINED.test(resolved);
}
