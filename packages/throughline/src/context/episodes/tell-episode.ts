import { redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { oneLine } from "../../internal/one-line.ts";
import type { LedgerFile } from "../../ledger/ledger.ts";
import { buildLevels } from "../../memory/levels/build-levels.ts";
import { slug } from "../../memory/levels/shorten-words.ts";
import type { Artifact, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { recordOf, unique } from "./find-artifacts.ts";
import { type Headline, headlineOf } from "./headline.ts";
import { decisionsOf } from "./is-decision.ts";
import { writeNarrative } from "./narrative.ts";
import { plainSentences, withStop } from "./plain-sentences.ts";
import { subjectWords } from "./subject-words.ts";
import type { Task } from "./task.ts";
import { changedFiles, isTest } from "./task-files.ts";

/** An episode that is not saved yet. */
interface Episode {
  readonly title: string;
  readonly levels: MemoryLevels;
  readonly artifacts: readonly Artifact[];
}

export interface TellOptions {
  /** Title of the session, if it has one task only. */
  readonly title?: string;
  /** Working folder. Paths are made relative to it. */
  readonly folder?: string;
}

const MAX_FILES = 20;
const SUMMARY_TOKENS = 70;
const DONE_WORDS = 12;
const MAX_DONE_LENGTH = 200;
const MAX_CHANGES = 3;
const LABEL_WORDS = 3;
/** Words that state a replacement or a cause. */
const TELLS_CHANGE = /\b(?:root cause|caused by|replaced|swapped|migrated|switched|converted|renamed)\b/i;
const TELLS_CAUSE = /\b(?:root cause|caused by)\b/i;
/** Words that are too vague to name a change. */
const VAGUE =
  /(?:^|[→ ])(?:it|them|this|that|these|those|they|we|you|anymore|shouldn['’]?t|didn['’]?t|something|one|all|relevant|bug|issue|fix|problem|\w|v\d+)(?=$|[→ ])/i;
const MAX_CHANGE_LENGTH = 40;
/** Kinds of additions. */
const ADDED =
  /^\+(?:test|flag|docs?|command|option|script|hook|api|endpoint|page|field|config|log|logging|migration|cache|index|cli|ui|type|helper|metric|column|table|route)$/;
const SAYS_LITTLE =
  /\b(?:0 issues|all passed|(?:lint|tests?|build) (?:now )?pass(?:es|ed)?|fix is (?:complete|working|in place|correct)|issue is clear|all (?:changes )?(?:have been )?(?:pass(?:ed)?|done|implemented))\b/i;

/**
 * Describes a task at four levels, by rules: request, changes, commits, failures, fixes and final reply. Deterministic.
 */
export function tellEpisode(task: Task, { title, folder }: TellOptions = {}): Episode {
  const files = changedFiles(task.ledger, folder);
  const headline = headlineOf(task, files, title);
  const prose = outcomeOf(task);
  const told = buildLevels({ kind: "episode", text: prose.join(" "), title: headline.title });
  const summary = summaryOf(headline, prose.length === 0 ? "" : told.summary);
  const changes = changesOf(told);
  const levels = {
    full: redactSecrets(writeNarrative(task, { title: headline.title, files })),
    summary: redactSecrets(summary),
    compressed: redactSecrets(`${labelOf(headline, changes)}: ${tellChanges(headline, changes, files)}`),
    index: indexOf(headline, changes),
  };
  const commits = task.commits.map(({ id }): Artifact => ({ type: "commit", ref: id }));
  const changed = files.slice(-MAX_FILES).map(({ path }): Artifact => ({ type: "file", ref: path }));
  const records = files.flatMap(({ path }) => recordOf(path));
  return { title: headline.title, levels, artifacts: unique([...commits, ...task.artifacts, ...records, ...changed]) };
}

/** Sentences about the outcome: decisions, final replies and commit subjects. */
function outcomeOf({ commits, ledger, replies }: Task): readonly string[] {
  const subjects = commits.map(({ subject }) => withStop(withoutType(subject)));
  const decisions = decisionsOf(ledger)
    .slice(-4)
    .map((text) => withStop(text.replaceAll("`", "")));
  const said = [...decisions, ...replies.flatMap(plainSentences)];
  const telling = said.filter((sentence) => !SAYS_LITTLE.test(sentence) && subjectWords(sentence).size > 0);
  return [...new Set([...telling, ...subjects])];
}

/** Commit subject as a sentence, without its type: `fix(auth): use UTC` becomes "Fixed: use UTC". */
function withoutType(subject: string): string {
  const [, type = "", rest = subject] = /^(\w+)(?:\([^)]*\))?!?:\s+(.+)$/.exec(subject) ?? [];
  const said = rest.charAt(0).toUpperCase() + rest.slice(1);
  return /^(?:fix|bugfix|hotfix)$/i.test(type) && !/^fix/i.test(rest) ? `Fixed: ${rest}` : said;
}

/** The subject, then as many sentences of the outcome as fit. */
function summaryOf({ about }: Headline, outcome: string): string {
  let summary = withStop(about);
  for (const sentence of outcome.split(/(?<=[.!?])\s+(?=\p{Lu})/u)) {
    const known = subjectWords(summary);
    if ([...subjectWords(sentence)].every((word) => known.has(word))) continue;
    const longer = `${summary} ${sentence}`;
    if (countTokens(longer) <= SUMMARY_TOKENS) summary = longer;
  }
  return summary;
}

/** Replacements, additions and the fault that was fixed, if stated. */
interface Changes {
  readonly replaced: readonly string[];
  readonly added: readonly string[];
  readonly fault?: string;
}

function changesOf({ summary, compressed }: MemoryLevels): Changes {
  const changes = compressed.slice(compressed.indexOf(": ") + 2).split(", ");
  // In a text of several sentences, the cause may belong to another change.
  const isOne = !/[.!?]\s/.test(summary);
  const found = changes.map((change) => (isOne ? change : change.replace(/ \([^)]{0,500}\)$/, "")));
  const isPlain = (change: string) => change.includes("→") && change.length <= MAX_CHANGE_LENGTH && !VAGUE.test(change);
  const replaced = TELLS_CHANGE.test(summary) ? found.filter(isPlain) : [];
  const added = found.filter((change) => ADDED.test(change));
  const fault = TELLS_CAUSE.test(summary) ? replaced[0]?.split("→")[0] : undefined;
  return omitUndefined({ replaced, added, fault });
}

function labelOf({ topics: [topic = ""], action }: Headline, { fault }: Changes): string {
  return slug(`${topic} ${fault === undefined ? action : "fix"}`, LABEL_WORDS);
}

function indexOf({ topics, action }: Headline, { fault }: Changes): string {
  const [topic = ""] = topics;
  return slug(fault === undefined ? [...topics, action].join(" ") : `${topic} ${fault} fix`, LABEL_WORDS);
}

/** Changes. If the rules found none, the commit or request in a few words. */
function tellChanges({ done }: Headline, { replaced, added }: Changes, files: readonly LedgerFile[]): string {
  const hasTest = files.some(({ path }) => isTest(path)) && files.some(({ path }) => !isTest(path));
  const test = hasTest && !added.includes("+test") ? ["+test"] : [];
  return [...(replaced.length > 0 ? replaced : [inFewWords(done)]), ...added, ...test].slice(0, MAX_CHANGES).join(", ");
}

/** The first words of a text, verbatim, because isolated keywords are hard to understand. */
function inFewWords(text: string): string {
  const words = oneLine(text, MAX_DONE_LENGTH).split(" ");
  return words.length <= DONE_WORDS ? words.join(" ") : `${words.slice(0, DONE_WORDS).join(" ")} …`;
}
