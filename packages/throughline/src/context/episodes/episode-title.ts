import { redactSecrets } from "../../internal/find-secrets.ts";
import { stringField } from "../../internal/json.ts";
import { oneLine } from "../../internal/text.ts";
import type { LedgerRequest } from "../../ledger/ledger.ts";
import { readCall, readInput } from "../../ledger/read/read-call.ts";
import { wasChanged } from "../../ledger/reduce-outcome.ts";
import type { ToolCallPart } from "../../message/part.ts";
import { capitalize, plainSentences, requestSentences, subjectWords } from "./episode-sentences.ts";
import type { Task, TaskTitle } from "./task.ts";

/** A text that could be the title. The weight is higher for texts that were written as titles. */
interface Candidate {
  readonly text: string;
  readonly weight: number;
}

const WEIGHTS = { given: 5, commit: 1.3, todo: 1, issue: 1, request: 0.6, statement: 0.6 } as const;
/** Factors: the task's first request, a request that led to changes, and a sentence that is long or no instruction. */
const FIRST = 2;
const CHANGED = 1.3;
const POOR_FORM = 0.4;
/** Factor of a text about a follow-up step. */
const FOLLOW_UP_FACTOR = 0.3;
/** Follow-up steps: they describe the completion of work, not its subject. */
const FOLLOW_UP =
  /\b(?:(?:code|pr|address|additional|more) reviews?|review(?:er)? \w*(?:comments?|feedback|findings?|suggestions?)|feedback|pr comments?|lint(?:er|ing)?|gofmt|prettier|formatting|typos?|nits?|wip|ci)\b|^(?:init|initial|commit|push|merge|rebase|bump|verify|check|run|re-?run|cleanup|clean up)\b|\btests? (?:pass|suite)|^(?:add|create|write|fix|update|modify|move|remove) (?:\S+ ){0,3}tests?\b/i;
const REVIEW =
  /\b(?:review\w{0,3}|feedback|(?:pr|copilot|unresolved) comments?|prs?|pull requests?|merge requests?)\b/i;
/** A request to review a pull request, with its number. */
const REVIEWS_NUMBER =
  /\breview(?:ing)?\b.{0,120}?(?:#|\/(?:pull|merge_requests)\/)(\d{1,7})\b|(?:#|\/(?:pull|merge_requests)\/)(\d{1,7})\b.{0,120}\breview(?:ing)?\b/is;
/** Minimum share of requests and commits about a review in a task that is a review. */
const REVIEW_SHARE = 1 / 5;
/** Weights of the texts of a task in the count of its words. */
const TEXT_WEIGHTS = { commit: 2, request: 1, todo: 1, file: 1, statement: 0.5 } as const;
/** A candidate with many words contains more of the common words, but also others. */
const LENGTH_POWER = 0.7;
const LENGTH_BASE = 2;
const MIN_WORDS = 2;
const MAX_TITLE_LENGTH = 100;
const MAX_SENTENCES = { first: 3, later: 1 } as const;
const MAX_READ = 600;

const COURTESY =
  /^(?:(?:hi|hey|hello|ok(?:ay)?|so|well|yeah|yes|no|great|please|right|also|and|but|alright|cool|thanks|hmm+|oh|ah|q|question)[,.!: -]+)*(?:(?:can|could|would|will) (?:you|we)(?: please| maybe| also)?|please|let['’]?s|i(?:['’]d| would) like (?:you |us )?to|i want (?:you |us )?to|i need (?:you |us )?to|i think (?:we have|there(?:['’]s| is))|we (?:need|want|should|have) to|help me(?: to)?|now)?[,: ]*/i;
/** A question, or a sentence that begins with its subject. */
const STATEMENT_OR_QUESTION =
  /[?？]\W{0,8}$|^\W*(?:what|why|how|where|when|which|who|is|are|do|does|did|should|if|the|an?|this|that|then|these|those|it|its|it['’]s|there|i|i['’]\w+|we|we['’]\w+|you|he|she|they|my|our|maybe|just|not|one|another|wait|while|as|since|after|before|for|in|looking|using|say|explain|show|tell|describe|help me understand)\b/i;
/** A cause that the assistant found, without its introduction. */
const CAUSE =
  /^\W*(?:the )?(?:root cause|cause|bug(?: pattern)?|issue|problem)(?::| (?:was|is) that)\s+(?:both )?(.{20,})$/i;
/** An absolute path, of which the title keeps the last name. */
const ABSOLUTE_PATH = /(?<!\S)(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\]{1,100}[/\\]){1,20}([^\s/\\]{1,100})/g;
const ASKS_TO_DO = /\b(?:can|could|would|will) (?:you|we)\b/i;
/** The clauses before the last conjunction or mark. */
const CLAUSES = /^.*\S(?=(?:, | - |: | so | because | and | if | when | but ))/;
const MIN_CLAUSE_LENGTH = 30;
/** "Step 3: " at the start of a to-do. */
const STEP_NUMBER = /^[\p{L} ]{0,20}[#\d][\w#. ]{0,8}: /u;

/**
 * Title of a task: the title of its plan or pull request, a commit, a to-do, a request, a result or a cause. The one
 * whose words occur most in the task wins, so that a last fix does not name the whole work. The review of a pull
 * request is named by its number and its main result.
 *
 * @param given title of the session
 */
export function titleOf(task: Task, given?: string): string {
  const named = givenTitles(task, given);
  const [, before, behind] = REVIEWS_NUMBER.exec(task.ledger.requests[0]?.text.slice(0, MAX_READ) ?? "") ?? [];
  const number = before ?? behind;
  const work = workCandidates(task);
  const findings = work.filter(({ text }) => !FOLLOW_UP.test(splitNames(text)));
  const made = named.length > 0 || number === undefined ? "" : mostCentral(task, findings);
  if (made !== "") return readableTitle(`Review of #${number}: ${made}`);
  const candidates = isReviewTask(task)
    ? reviewCandidates(task, named)
    : [...named, ...work, ...task.ledger.requests.flatMap((request, at) => requestCandidates(request, at === 0))];
  return readableTitle(mostCentral(task, candidates)) || "Session";
}

function mostCentral(task: Task, candidates: readonly Candidate[]): string {
  const counts = countWords(task);
  let best = { text: "", score: -1 };
  for (const { text, weight } of candidates) {
    const factor = FOLLOW_UP.test(splitNames(text)) && weight < WEIGHTS.given ? FOLLOW_UP_FACTOR : 1;
    const score = weight * factor * centrality(text, counts);
    if (score > best.score) best = { text, score };
  }
  return best.text;
}

/** A text with the words of names apart: `agent_typeTest` becomes "agent type Test". */
function splitNames(text: string): string {
  return text.replace(/([a-z\d])([A-Z])|_/g, "$1 $2");
}

/**
 * Words of the candidate by their share of the task's texts. A text of one word is a title only if there is no other.
 */
function centrality(text: string, counts: ReadonlyMap<string, number>): number {
  const words = [...subjectWords(text)];
  if (words.length < MIN_WORDS) return words.length / 1_000;
  const sum = words.reduce((total, word) => total + Math.sqrt(counts.get(word) ?? 0), 0);
  return sum / (words.length + LENGTH_BASE) ** LENGTH_POWER;
}

function countWords({ ledger, commits, todos }: Task): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (texts: readonly string[], weight: number) => {
    for (const text of texts) {
      for (const word of subjectWords(text.slice(0, MAX_READ))) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
  };
  const paths = ledger.files.filter(wasChanged).map(({ path }) => path.split("/").slice(-2).join(" "));
  add(
    commits.map(({ subject }) => subject),
    TEXT_WEIGHTS.commit,
  );
  add(
    ledger.requests.map(({ text }) => text),
    TEXT_WEIGHTS.request,
  );
  add(todos, TEXT_WEIGHTS.todo);
  add(paths, TEXT_WEIGHTS.file);
  add(
    ledger.statements.map(({ text }) => text),
    TEXT_WEIGHTS.statement,
  );
  const most = Math.max(1, ...counts.values());
  return new Map([...counts].map(([word, count]) => [word, count / most]));
}

/** True if a task began as a review and went on as one. The review of other work is a follow-up step. */
function isReviewTask({ ledger, commits }: Task): boolean {
  const texts = [
    ...ledger.requests.map(({ text }) => text.slice(0, MAX_READ)),
    ...commits.map(({ subject }) => subject),
  ];
  const found = texts.filter((text) => REVIEW.test(text)).length;
  return REVIEW.test(texts[0] ?? "") && found >= REVIEW_SHARE * texts.length;
}

/** A review is named by its request: its commits are fixes of details. */
function reviewCandidates(task: Task, named: readonly Candidate[]): readonly Candidate[] {
  const requestText = task.ledger.requests.slice(0, 1).map((request) => requestSentences(request).join(" "));
  return named.length > 0 ? named : requestText.map((text) => ({ text: toInstruction(text), weight: WEIGHTS.request }));
}

/** Titles of the session, its plans and its pull requests. */
function givenTitles({ ledger, titles }: Task, given: string | undefined): readonly Candidate[] {
  const plans = ledger.requests.flatMap(({ text }) => titleOfPastedPlan(text) ?? []);
  const written = titles.filter(({ type }) => type !== "issue").map(({ text }) => text);
  return [given ?? [], written, plans].flat().map((text) => ({ text, weight: WEIGHTS.given }));
}

/** Commits, issues, to-dos, results and causes. */
function workCandidates(task: Task): readonly Candidate[] {
  const { commits, todos, titles } = task;
  return [
    ...commits.map(({ subject }) => ({ text: withoutType(subject), weight: WEIGHTS.commit })),
    ...titles.flatMap(({ type, text }) => (type === "issue" ? [{ text, weight: WEIGHTS.issue }] : [])),
    ...todos.map((todo) => ({ text: todo.replace(STEP_NUMBER, ""), weight: WEIGHTS.todo })),
    ...resultsOf(task).map((text) => ({ text, weight: WEIGHTS.statement * formFactor(text) })),
    ...causesOf(task).map((text) => ({ text, weight: WEIGHTS.statement })),
  ];
}

function formFactor(text: string): number {
  return text.length > MAX_TITLE_LENGTH || STATEMENT_OR_QUESTION.test(text) ? POOR_FORM : 1;
}

/** The first sentences of a request, in the user's own words and without courtesies. */
function requestCandidates(request: LedgerRequest, isFirst: boolean): readonly Candidate[] {
  if (titleOfPastedPlan(request.text) !== undefined) return [];
  const max = isFirst ? MAX_SENTENCES.first : MAX_SENTENCES.later;
  const work = request.work === "changed" ? CHANGED : 1;
  return requestSentences(request)
    .slice(0, max)
    .map((sentence, at) => {
      const text = toInstruction(sentence);
      const isWhole = sentence.length <= MAX_TITLE_LENGTH || isFirst || ASKS_TO_DO.test(sentence.slice(0, text.length));
      const place = isFirst && at === 0 ? FIRST : 1;
      return { text, weight: WEIGHTS.request * work * place * formFactor(text) * (isWhole ? 1 : POOR_FORM) };
    })
    .filter(({ text }) => text !== "");
}

/** A sentence without courtesies. "Can you rename it?" is an instruction, not a question. */
function toInstruction(sentence: string): string {
  const [courtesy = ""] = COURTESY.exec(sentence) ?? [];
  const bare = sentence.slice(courtesy.length);
  return firstClauses(ASKS_TO_DO.test(courtesy) ? bare.replace(/\?\W*$/, "") : bare);
}

/** The first clauses of a long sentence that fit into a title. */
function firstClauses(sentence: string): string {
  if (sentence.length <= MAX_TITLE_LENGTH) return sentence;
  const [head] = CLAUSES.exec(sentence.slice(0, MAX_TITLE_LENGTH)) ?? [];
  return head === undefined || head.length < MIN_CLAUSE_LENGTH
    ? sentence
    : head.replace(/[\s,]+(?:and|or|but|so)$/, "");
}

/** Causes of faults that the assistant found while it worked on requests that led to changes. */
function causesOf({ ledger: { requests, statements } }: Task): readonly string[] {
  return statements
    .filter(({ at }) => requests.findLast((request) => request.at <= at)?.work === "changed")
    .flatMap(({ text }) => plainSentences(text).slice(0, 1))
    .flatMap((sentence) => CAUSE.exec(sentence)?.[1] ?? [])
    .filter((cause) => cause.length <= MAX_TITLE_LENGTH);
}

/** First sentences of the last replies to requests that led to changes. */
function resultsOf({ ledger: { requests, statements } }: Task): readonly string[] {
  const placed = statements.map((statement) => ({
    statement,
    request: requests.findLast(({ at }) => at <= statement.at),
  }));
  const last = new Map(placed.map(({ statement, request }) => [request, statement.at]));
  return placed
    .filter(({ statement, request }) => request?.work === "changed" && last.get(request) === statement.at)
    .filter(({ statement: { order, text } }) => order === 0 && text.length <= MAX_TITLE_LENGTH && /\.\W*$/.test(text))
    .flatMap(({ statement }) => plainSentences(statement.text).slice(0, 1));
}

/** A title on one line, without Markdown, cut after a word if it is too long. */
export function readableTitle(text: string): string {
  const plain = oneLine(text.replace(/[*`_]{2,}|`/g, "").replace(ABSOLUTE_PATH, "$1"), 4 * MAX_TITLE_LENGTH).replace(
    /^[-–—>#\s]+|(?<!\.)[.:,;\s]+$/g,
    "",
  );
  const safe = redactSecrets(capitalize(plain));
  if (safe.length <= MAX_TITLE_LENGTH) return safe;
  return `${safe.slice(0, MAX_TITLE_LENGTH).replace(/\s+\S*$/, "")} …`;
}

const HEADING = /^\\?#{1,3}[^\S\n]+(\S.{0,400})$/m;
const PLAN_FILE = /(?:^|\/)(?:plans?\/[^/]{1,200}|[^/]{0,100}\bplan\b[^/]{0,100})\.md$/i;
const PLAN_WORDS =
  /^(?:implementation |design )?plan(?: for)?[:\s–—-]+|[\s:–—-]+(?:implementation |design )?plan$|^plan$/gi;
/** The first words of a request that contains a plan. */
const PASTED_PLAN = /^implement the following plan:\s*/i;
const COMMIT_TYPE =
  /^(?:feat(?:ure)?|(?:bug|hot)?fix|perf|refactor|docs?|tests?|chore|build|ci|style|revert)(?:\([^)]{1,40}\))?!?:\s+(?=\S)/i;
const OPENS_PULL_REQUEST = /\b(?:gh pr|glab mr) create\b/;
const TITLE_OPTION = /\s(?:--title|-t)[=\s]+(?:"([^"\n]{3,300})"|'([^'\n]{3,300})')/;
const PULL_REQUEST_TOOL = /create_?(?:pull|merge)_?request$/i;
const ISSUE_TOOL = /create_?(?:issue|ticket)$/i;
const MAX_TITLE_READ = 4_000;

/** Titles that a call gives to the work: of a plan, a pull request, or an issue for later work. */
export function titlesOfCall(part: ToolCallPart): readonly TaskTitle[] {
  const fields = readInput(part.input);
  const title = stringField(fields, "title");
  if (title !== undefined && ISSUE_TOOL.test(part.toolName)) return [{ type: "issue", text: title }];
  if (title !== undefined && PULL_REQUEST_TOOL.test(part.toolName)) return [{ type: "pr", text: withoutType(title) }];
  const plan = stringField(fields, "plan");
  if (plan !== undefined) return planTitle(plan).map(toPlan);
  const { shell, touches, texts } = readCall(part);
  if (shell !== undefined) {
    const scripts = texts.filter(({ place }) => place === "command");
    return scripts.flatMap(({ text }) => pullRequestTitle(text)).map((text) => ({ type: "pr", text }));
  }
  const body = stringField(fields, "content") ?? stringField(fields, "file_text");
  const isPlan = body !== undefined && touches.some(({ path }) => PLAN_FILE.test(path));
  return isPlan ? planTitle(body).map(toPlan) : [];
}

function toPlan(text: string): TaskTitle {
  return { type: "plan", text };
}

/** Title of a plan that a request contains; undefined for another request. */
function titleOfPastedPlan(request: string): string | undefined {
  return PASTED_PLAN.test(request) ? planTitle(request.replace(PASTED_PLAN, ""))[0] : undefined;
}

/** A commit subject or the title of a pull request without its type: `fix(auth): use UTC` becomes "use UTC". */
export function withoutType(subject: string): string {
  return subject.trim().replace(COMMIT_TYPE, "");
}

function planTitle(markdown: string): readonly string[] {
  const heading = HEADING.exec(markdown.slice(0, MAX_TITLE_READ))?.[1]?.replace(PLAN_WORDS, "").trim() ?? "";
  return heading === "" ? [] : [withoutType(heading)];
}

function pullRequestTitle(script: string): readonly string[] {
  if (!OPENS_PULL_REQUEST.test(script)) return [];
  const [, double, single] = TITLE_OPTION.exec(script.slice(0, MAX_TITLE_READ)) ?? [];
  const title = double ?? single;
  return title === undefined ? [] : [withoutType(title)];
}
