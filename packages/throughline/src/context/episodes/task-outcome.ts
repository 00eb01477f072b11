import { cutMiddle } from "../../internal/text.ts";
import { isStandingRule } from "../../language/rule-markers.ts";
import { splitSentences } from "../../language/sentences.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import type { Ledger, LedgerCommand, LedgerRequest } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/reduce-outcome.ts";
import { currentOutlook } from "../../ledger/render/state-lines.ts";
import { changedFiles, type Task } from "./task.ts";

/** Outcome of a task: finished with work or with an answer, finished in part, or not finished. */
type TaskState = "done" | "answered" | "partly" | "open";

export interface TaskOutcome {
  readonly state: TaskState;
  /** Verified results, as sentences. */
  readonly evidence: readonly string[];
  /** The next steps, if the task is unfinished. */
  readonly next: readonly string[];
}

const DOCUMENT = /\.(?:mdx?|rst|adoc|txt)$/i;
const QUESTION = /[?？]\W{0,8}$/;
/** A question about the delivery of finished work. */
const DELIVERY = /\b(?:commit|push|prs?|pull request|merge|deploy|release)\b/i;
/** To-dos about the completion of work that is already there. */
const COMPLETION = /^\W*(?:run|re-?run|verify|check|test|lint|format|commit|push|clean ?up|review)\b/i;
/** A sentence about something that does not work or does not exist yet. */
const UNFINISHED =
  /\b(?:(?:is|are) (?:still |currently )?failing|still (?:fails?|failing|broken|missing|needs?)|needs? (?:further|more) (?:investigation|debugging|work)|not (?:yet )?(?:implemented|finished|fixed|complete)|not (?:done|working) yet|remaining (?:tasks?|steps?|work|issues?|failures?)|remains? (?:open|to be)|left to do)\b/i;
/** Programs that read or send something. They check nothing, even if an argument is named like a check. */
const NO_CHECK = /^(?:\w+=\S+ )*(?:gh|glab|curl|wget|grep|rg|cat|head|tail|ls|echo|which|type|command -v)\b/;
/** Parts of a command that only shorten its output. */
const SHORTENED = / 2>&1(?= (?:\||&&)|;|$)| \| (?:tail|head) -[\w-]{1,10}(?: \d{1,6})?(?= &&|;|$)/g;
/** A sentence of words of approval, which is no small talk in the middle of work. */
const APPROVAL =
  /^\P{L}*(?:(?:ok|okay|yes|good|great|perfect|nice|cool|fine|excellent|lgtm|all good|gut|super|prima|perfekt|bien|bueno|perfecto|parfait|bom|perfeito|bene|perfetto|goed|mooi|dobrze|świetnie|хорошо|отлично|tamam|好的?|很好|良い|いいね|좋아요?)\P{L}{0,8}){1,4}$/iu;
/** Longer messages are more than a rule. */
const MAX_RULE_LENGTH = 400;
const MAX_COMMAND_LENGTH = 80;
const MAX_NEXT = 3;

/** Reads the outcome of a task from its checks, commits, to-dos and last replies. */
export function outcomeOf(task: Task): TaskOutcome {
  const { ledger, commits, isAccepted } = task;
  const todos = openTodos(ledger);
  const steps = [...todos, ...openRequest(ledger), ...failures(ledger), ...writtenOnly(task)];
  const next = isAccepted ? [] : steps.slice(0, MAX_NEXT);
  const hasWork = ledger.requests.some(({ work }) => work === "changed") || commits.length > 0;
  const wasRun = ledger.requests.some(({ work }) => work === "ran");
  const ended: TaskState = hasWork || wasRun ? "done" : "answered";
  const left: TaskState = hasWork && !(todos.length > 0 && isOnlyPlanned(ledger)) ? "partly" : "open";
  return { state: next.length === 0 ? ended : left, evidence: evidenceOf(task), next };
}

/** To-dos that are not completed. */
function openTodos({ todos }: Ledger): readonly string[] {
  return todos.filter(({ status, text }) => status !== "completed" && !COMPLETION.test(text)).map(({ text }) => text);
}

/** True if nothing was changed since the list of to-dos was written. */
function isOnlyPlanned({ todos, requests }: Ledger): boolean {
  const since = Math.max(...todos.map(({ at }) => at));
  return (
    todos.every(({ status }) => status !== "completed") &&
    !requests.some(({ work, at }) => work === "changed" && at > since)
  );
}

/** The last request for work, if it has no answer, was stopped, or only led to a question to the user. */
function openRequest(ledger: Ledger): readonly string[] {
  const last = ledger.requests.findLast((request) => !isOnlyRule(request));
  if (last === undefined) return [];
  if (last.state === "open" || last.state === "stopped") return [last.text];
  const outlook = currentOutlook(ledger);
  if (outlook?.kind !== "question" || DELIVERY.test(outlook.text)) return [];
  return last.work === undefined && !QUESTION.test(last.text) ? [`an answer to “${outlook.text}”`] : [];
}

/** True if a message only states rules for later, after words of approval or with a reply that did no work. */
function isOnlyRule({ text, state, work, said }: LedgerRequest): boolean {
  if (state === "stopped" || work !== undefined || text.length > MAX_RULE_LENGTH) return false;
  const sentences = splitSentences(text, { anyCase: true }).map((sentence) => sentence.text);
  const others = sentences.filter((sentence) => !APPROVAL.test(sentence) && !isSmallTalk(sentence));
  const isAcknowledged = said > 0 || others.length < sentences.length;
  return isAcknowledged && others.length > 0 && others.every(isStandingRule);
}

/** The last check, if it failed, and sentences of the last reply about failures and remaining work. */
function failures({ commands, files, statements }: Ledger): readonly string[] {
  const check = lastCheck(commands);
  const isOutdated = files.some((file) => file.at > (check?.at ?? 0) && wasChanged(file) && file.last !== "read");
  const failed = check?.outcome === "failed" && !isOutdated ? [`make \`${commandOf(check)}\` pass`] : [];
  const last = statements.at(-1)?.at;
  return [
    ...failed,
    ...statements.filter(({ at, text }) => at === last && UNFINISHED.test(text)).map(({ text }) => text),
  ];
}

/** The last plan or issue of a task that changed nothing but documents. */
function writtenOnly({ ledger, titles, commits }: Task): readonly string[] {
  const hasCode = changedFiles(ledger).some(({ path }) => !DOCUMENT.test(path));
  const written = titles.findLast(({ type }) => type !== "pr");
  return hasCode || commits.length > 0 || written === undefined ? [] : [`${written.type}: ${written.text}`];
}

function lastCheck(commands: readonly LedgerCommand[]): LedgerCommand | undefined {
  return commands.findLast(({ text, tests, outcome }) => {
    return tests === true && (outcome === "ok" || outcome === "failed") && !NO_CHECK.test(text);
  });
}

/** A command without the parts that only shorten its output: `npm test` for `npm test 2>&1 | tail -20`. */
export function plainCommand(text: string): string {
  return text.replace(SHORTENED, "");
}

function commandOf({ text }: LedgerCommand): string {
  return cutMiddle(plainCommand(text), MAX_COMMAND_LENGTH);
}

function evidenceOf({ ledger, isAccepted }: Task): readonly string[] {
  const check = lastCheck(ledger.commands);
  return [
    ...(check?.outcome === "ok" ? [`\`${commandOf(check)}\` passed`] : []),
    ...(isAccepted ? ["accepted by the user"] : []),
  ];
}
