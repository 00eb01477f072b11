import { redactSecrets } from "../../internal/find-secrets.ts";
import { cutMiddle, oneLine } from "../../internal/text.ts";
import type { LedgerError, LedgerFile, LedgerRequest } from "../../ledger/ledger.ts";
import { slug } from "../../memory/text-levels/shorten-words.ts";
import type { Artifact, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { explainsFix } from "../tiers/episode-lines.ts";
import { isInserted, specificWordsOf, subjectWords } from "./episode-sentences.ts";
import { titleOf } from "./episode-title.ts";
import { endSentence, type KeySentences, keySentences, paragraphsOf } from "./key-sentences.ts";
import { changedFiles, recordOf, type Task, unique } from "./task.ts";
import { outcomeOf, plainCommand, type TaskOutcome } from "./task-outcome.ts";

/** An episode that is not saved yet. */
interface Episode {
  readonly title: string;
  readonly levels: MemoryLevels;
  readonly artifacts: readonly Artifact[];
}

export interface EpisodeOptions {
  /** Title of the session, if it has one task only. */
  readonly title?: string;
  /** Working folder. Paths are made relative to it. */
  readonly folder?: string;
}

const MAX_FILES = 20;
const MIN_ASKED_WORDS = 5;
/** Words of the sentences about decisions and findings: grow with the number of requests. */
const SENTENCE_WORDS = { base: 60, perRequest: 20, max: 290 } as const;
const MAX_LENGTHS = { asked: 200, next: 160, error: 120, source: 60, resolved: 100, subject: 80, full: 8_000 } as const;
const MAX_LISTED = { files: 14, errors: 2, commits: 5 } as const;
const STATES: Readonly<Record<TaskOutcome["state"], string>> = {
  done: "Done",
  answered: "Answered",
  partly: "Partly done",
  open: "Not done",
};

/**
 * Describes a task at four levels, by rules: outcome, request, decisions and findings, failures, commits and changed
 * files. Deterministic.
 */
export function describeEpisode(task: Task, { title: given, folder }: EpisodeOptions = {}): Episode {
  const files = changedFiles(task.ledger, folder);
  const title = titleOf(task, given);
  const outcome = outcomeOf(task);
  const request = askedOf(task);
  const { base, perRequest, max } = SENTENCE_WORDS;
  const words = Math.min(max, base + perRequest * task.ledger.requests.length);
  const key = keySentences(task, words, request);
  const paragraphs = paragraphsOf(key, task.ledger.requests, request);
  const heading = { title, at: task.endedAt, commit: task.commits.at(-1)?.id };
  const full = [
    outcomeLine(task, outcome),
    ...(request === "" ? [] : [`Asked: ${request}`]),
    ...list(
      "Next",
      outcome.next.map((step) => oneLine(step, MAX_LENGTHS.next)),
      "; ",
    ),
    ...(key.length === 0 ? [] : ["Decided and found:", ...paragraphs.map((text) => `- ${text}`)]),
    ...list("Failed", errorsOf(task), "; "),
    ...list("Commits", commitsOf(task), "; "),
    ...list("Changed", changedOf(files), ", "),
  ].join("\n");
  const sentences = aboutTitle(key, title);
  return {
    title,
    levels: episodeLevels({ ...heading, state: outcome.state, body: full.slice(0, MAX_LENGTHS.full), sentences }),
    artifacts: artifactsOf(task, files),
  };
}

function outcomeLine({ artifacts }: Task, { state, evidence }: TaskOutcome): string {
  const requests = artifacts.filter(({ type }) => type === "pr").map(({ ref }) => `PR ${ref}`);
  const known = [...evidence, ...requests.slice(0, 2)];
  return `Outcome: ${STATES[state]}${known.length === 0 ? "" : ` (${known.join(", ")})`}.`;
}

/** The first words of the first request that has more than a few words. */
function askedOf({ ledger }: Task): string {
  const own = ledger.requests.filter((request) => !isInserted(request));
  const isLong = ({ text }: LedgerRequest) => text.trim().split(/\s+/, MIN_ASKED_WORDS).length >= MIN_ASKED_WORDS;
  const request = own.find(isLong) ?? own[0];
  return cutEnd(oneLine(request?.text ?? "", 4 * MAX_LENGTHS.asked), MAX_LENGTHS.asked);
}

/** The assistant's sentences, those that share most words with the title first. */
function aboutTitle(key: readonly KeySentences[], title: string): readonly string[] {
  const words = subjectWords(title);
  const shared = (text: string) => [...subjectWords(text)].filter((word) => words.has(word)).length;
  const sentences = key.flatMap(({ assistant }) => assistant.map((text) => ({ text, shared: shared(text) })));
  return sentences.sort((a, b) => b.shared - a.shared).map(({ text }) => endSentence(text));
}

function cutEnd(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/\s+\S*$/, "")} …`;
}

function list(label: string, entries: readonly string[], between: string): readonly string[] {
  return entries.length === 0 ? [] : [`${label}: ${entries.join(between)}`];
}

/** Errors of checks with the command that resolved them, and open errors of the last request. */
function errorsOf({ ledger: { errors, commands, requests } }: Task): readonly string[] {
  const checks = new Set(commands.filter(({ tests }) => tests === true).map(({ text }) => text));
  const since = requests.at(-1)?.at ?? 0;
  const isOpen = ({ at, resolved }: LedgerError) => resolved === undefined && at > since;
  const found = errors
    .filter((error) => !isStep(error) && (checks.has(error.source) || isOpen(error)))
    .slice(-MAX_LISTED.errors);
  return found.map(({ text, source, resolved }) => {
    const what = `\`${cutMiddle(plainCommand(source), MAX_LENGTHS.source)}\`: ${oneLine(text, MAX_LENGTHS.error)}`;
    return resolved === undefined ? `${what} (open)` : `${what} → ${oneLine(resolved, MAX_LENGTHS.resolved)}`;
  });
}

/** True if an error was only a step of the work: edits or another attempt of the same command resolved it. */
function isStep({ resolved, source }: LedgerError): boolean {
  if (resolved === undefined) return false;
  return !explainsFix(resolved) || plainCommand(resolved) === `worked as ${plainCommand(source)}`;
}

function commitsOf({ commits }: Task): readonly string[] {
  const key = commits
    .slice(-MAX_LISTED.commits)
    .map(({ id, subject }) => `${id} ${cutEnd(subject, MAX_LENGTHS.subject)}`);
  const more = commits.length - key.length;
  return more > 0 ? [...key, `${more} earlier`] : key;
}

function changedOf(files: readonly LedgerFile[]): readonly string[] {
  const key = files
    .slice(-MAX_LISTED.files)
    .map(({ path, last }) => (last === "deleted" || last === "renamed" ? `${path} (${last})` : path));
  const more = files.length - key.length;
  return more > 0 ? [...key, `${more} more`] : key;
}

function artifactsOf({ commits, artifacts }: Task, files: readonly LedgerFile[]): readonly Artifact[] {
  const made = commits.map(({ id }): Artifact => ({ type: "commit", ref: id }));
  const changed = files.slice(-MAX_FILES).map(({ path }): Artifact => ({ type: "file", ref: path }));
  const records = files.flatMap(({ path }) => recordOf(path));
  return unique([...made, ...artifacts, ...records, ...changed]);
}

interface EpisodeContent {
  readonly title: string;
  /** Milliseconds since 1970. 0 if unknown. */
  readonly at: number;
  /** Id of the last commit. */
  readonly commit?: string | undefined;
  readonly state: "done" | "answered" | "partly" | "open";
  /** The text below the first line. */
  readonly body: string;
  /** Sentences for the summary, the most important first. */
  readonly sentences: readonly string[];
}

const SUMMARY_TOKENS = 70;
const INDEX_WORDS = 4;
const UNFINISHED = { partly: "partly done", open: "not done" } as const;

/** The text of an episode at four levels. Each of them has the title; all but the index have date and commit. */
export function episodeLevels(content: EpisodeContent): MemoryLevels {
  const { title, at, commit, state, body, sentences } = content;
  const date = at > 0 ? new Date(at).toISOString().slice(0, 10) : undefined;
  const isLeft = state === "partly" || state === "open";
  const facts = [date, commit, isLeft ? UNFINISHED[state] : undefined].filter((fact) => fact !== undefined);
  const heading = facts.length === 0 ? title : `${title} (${facts.join(", ")})`;
  let summary = `${heading}.`;
  for (const sentence of sentences) {
    const longer = `${summary} ${sentence}`;
    if (countTokens(longer) <= SUMMARY_TOKENS) summary = longer;
  }
  const words = specificWordsOf(title);
  return {
    full: redactSecrets(`${date === undefined ? title : `${title} (${date})`}\n${body}`),
    summary: redactSecrets(summary),
    compressed: redactSecrets(heading),
    index: slug(words.length === 0 ? title : words.join(" "), INDEX_WORDS) || "session",
  };
}
