import { redactSecrets } from "../../internal/find-secrets.ts";
import { oneLine } from "../../internal/one-line.ts";
import { splitSentences } from "../../language/sentences.ts";
import { wordSet } from "../../language/word-lists.ts";
import type { LedgerFile } from "../../ledger/ledger.ts";
import { shorten } from "../../memory/levels/shorten-words.ts";
import { subjectWords, tellingWordsOf } from "./subject-words.ts";
import type { Task } from "./task.ts";
import { isTest } from "./task-files.ts";

/** Headline of an episode, in the words of the request or the commit. */
export interface Headline {
  readonly title: string;
  /** Longer form of the title. */
  readonly about: string;
  /** Result in a few words. */
  readonly done: string;
  /** Topic words, the most descriptive first. */
  readonly topics: readonly string[];
  /** Kind of work, such as `fix`. "" if unknown. */
  readonly action: string;
}

const CONVENTIONAL = /^(\w{2,12})(?:\(([^)]{1,40})\))?!?:\s+(.+)$/;
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:revert|roll ?back|undo)\b/i, "revert"],
  [
    /\b(?:refactor|restructure|consolidate|clean ?up|simplif|extract|rename|move|split|replace|switch|swap)/i,
    "refactor",
  ],
  [/\b(?:fix|bug|debug|broken|fail|error|crash|wrong|issue|doesn['’]?t|not working|regression|stuck)/i, "fix"],
  [/\b(?:review|feedback|comments? on)\b/i, "review"],
  [/\b(?:document|docs|readme|changelog|adr)\b/i, "docs"],
  [/\b(?:migrate|migration|upgrade|bump)\b/i, "migrate"],
  [/\b(?:add|implement|create|support|introduce|new|build|write)\b/i, "add"],
  [/\b(?:remove|delete|drop)\b/i, "remove"],
  [/\b(?:deploy|release|publish|ship)\b/i, "release"],
  [/\b(?:why|how|what|explain|understand|investigate|look at|check|analy[sz]e)\b/i, "look"],
];
const TYPES: Readonly<Record<string, string>> = {
  feat: "add",
  fix: "fix",
  refactor: "refactor",
  perf: "perf",
  docs: "docs",
  test: "test",
  tests: "test",
  revert: "revert",
  ci: "ci",
  build: "build",
  chore: "chore",
  style: "style",
};
const POLITE =
  /^(?:(?:hi|hey|hello|ok(?:ay)?|so|well|yeah|yes|great|please|right|also|and|alright|cool|thanks|hmm+|oh|ah)[,.!: ]+)*(?:(?:can|could|would|will) (?:you|we)(?: please| maybe| also)?|please|let['’]?s|i(?:['’]d| would) like (?:you |us )?to|i want (?:you |us )?to|i need (?:you |us )?to|we (?:need|want|should|have) to|help me(?: to)?|question:|now)?[,: ]*/i;
const MAX_TITLE_LENGTH = 80;
const MAX_ABOUT_LENGTH = 180;
const PLAN = /^implement the following plan:\s*/i;
const TOPIC_WORDS = 2;

/** Text that agents insert as user messages. */
const NOBODYS = /^(?:<[\w-]+>|Operation stopped by hook|\[Request interrupted|Caveat:|You are (?:a|an|the) )/;
/** Minimum number of descriptive words in a request that can be a title. */
const TELLING = 3;

export function headlineOf(task: Task, files: readonly LedgerFile[], sessionTitle?: string): Headline {
  const request = firstRequest(task);
  const subjects = task.commits.map(({ subject }) => subject.trim());
  // A subject of one word is still better than no title.
  const anySubject = request === "" ? (subjects.findLast((subject) => subject !== "") ?? "") : "";
  const commit = subjects.findLast(isTelling) ?? anySubject;
  const [, type = "", scope = "", described = commit] = CONVENTIONAL.exec(commit) ?? [];
  const told = sessionTitle ?? (described || request);
  const action = TYPES[type.toLowerCase()] ?? actionOf(sessionTitle ?? (commit || request));
  const isTold = subjectWords(request).size >= TELLING;
  const texts = [sessionTitle ?? "", described, isTold ? request : "", ...mainPlaces(files), request];
  const words = [...new Set([...tellingWordsOf(scope).slice(0, 1), ...topicWords(texts, action)])];
  return {
    title: redactSecrets(oneLine(capitalised(told), MAX_TITLE_LENGTH)),
    about: redactSecrets(oneLine(capitalised(told), MAX_ABOUT_LENGTH)),
    done: redactSecrets((described || told).replace(PLACES, " ")),
    topics: words.length === 0 ? ["session"] : words.slice(0, TOPIC_WORDS),
    action,
  };
}

function isTelling(subject: string): boolean {
  return subjectWords(subject).size >= TOPIC_WORDS && !/^merge\b/i.test(subject);
}

/** First request with enough descriptive words. For a pasted plan, its title is used. */
function firstRequest({ ledger }: Task): string {
  const requests = ledger.requests
    .filter(({ text }) => !NOBODYS.test(text))
    .map(({ text }) => sentenceOf(text))
    .filter((text) => text !== "");
  return requests.find((text) => subjectWords(text).size >= TELLING) ?? requests[0] ?? "";
}

function sentenceOf(text: string): string {
  const plain = text
    .replace(PLAN, "")
    .replace(/(?<!\n[^\S\n]*\n)^\s*(?:\\?#{1,6}|[-*>])\s*(?:(?:implementation )?plan: )?/gim, "")
    .replace(/\*\*|`/g, "")
    .trim();
  const bare = (splitSentences(plain)[0]?.text ?? "").replace(POLITE, "").replace(/(?<![:,;])[:,;]+$/, "");
  return capitalised(bare);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function actionOf(text: string): string {
  return ACTIONS.find(([cue]) => cue.test(text))?.[1] ?? "";
}

/** Words that are too common in development work to be a topic. */
const NO_TOPICS = wordSet(`
  feedback comment comments review branch branches commit push error errors bug bugs plan work look refactor refactoring session
  sessions failing fails failed fail broken main master merge rebase pull request requests linear ticket step steps option options
  initial init address handle make support http https com github www`);

/** URLs and absolute paths, which do not describe the topic. */
const PLACES = /https?:\/\/\S+|(?<!\S)[~/]\S*\/\S*/g;

/** Topic words of the texts, in their order. */
function topicWords(texts: readonly string[], action: string): readonly string[] {
  const own = texts.map((text) => text.replace(PLACES, " "));
  const words = own.flatMap(tellingWordsOf).filter((word) => /^\p{L}/u.test(word) && word.length <= 20);
  const telling = words.filter((word) => !NO_TOPICS.has(word) && actionOf(word) === "");
  return [...new Set((telling.length > 0 ? telling : words).map(shorten))].filter((word) => word !== action);
}

/** Names of the most changed files. */
function mainPlaces(files: readonly LedgerFile[]): readonly string[] {
  const weight = ({ actions: { read: _, ...others } }: LedgerFile) =>
    Object.values(others).reduce((sum, times) => sum + times, 0);
  return files
    .filter(({ path }) => !isTest(path))
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, 2)
    .map(({ path }) => (path.split("/").at(-1) ?? "").replace(/\.\w+$/, ""));
}
