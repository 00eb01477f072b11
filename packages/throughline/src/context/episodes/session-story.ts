import { HOUR } from "../../internal/time.ts";
import { splitSentences } from "../../language/sentences.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import { EMPTY_LEDGER, type Ledger } from "../../ledger/ledger.ts";
import { withoutInjected } from "../../ledger/quoted/user-words.ts";
import { readCall } from "../../ledger/read/read-call.ts";
import { reduceLedger } from "../../ledger/reduce-ledger.ts";
import { wasChanged } from "../../ledger/reduce-outcome.ts";
import type { Message } from "../../message/message.ts";
import type { ToolCallPart, ToolResultPart } from "../../message/part.ts";
import { toolOutputText } from "../../message/tool-output.ts";
import type { Artifact } from "../../ports/memory.ts";
import { subjectWords } from "./episode-sentences.ts";
import { titlesOfCall } from "./episode-title.ts";
import { findArtifacts, findCommits, type Task, type TaskCommit, type TaskTitle, unique } from "./task.ts";

/** Maximum number of tasks. Further messages belong to the last one. */
const MAX_TASKS = 30;
const MAX_SUBJECT = 600;
const MAX_COMMITS = 20;
/** The newest pull requests and decision records of a task. Each message is compared with all of them. */
const MAX_ARTIFACTS = 40;
const MAX_TITLES = 10;
const MAX_TODOS = 60;
/** Longer messages are more than thanks. */
const MAX_PRAISE_LENGTH = 200;
/** The shortest final reply that makes an episode of a task without any action. */
const MIN_REPLY_LENGTH = 40;
const COMMITS = /\bgit\b[^\n;&|]{0,200}\bcommit\b/;
/** A script in a directory for temporary files, whose commits are not the project's. */
const SCRATCH = /\bcd (?:\/private)?\/tmp\b|\bmktemp\b/;
const OPENS_PULL_REQUEST = /\b(?:gh pr|glab mr) create\b/;
const MAX_WATCHED = 60;

interface TaskDraft {
  readonly id: string;
  readonly sessionId: string;
  readonly startedAt: number;
  lastAt: number;
  ledger: Ledger;
  readonly subject: Set<string>;
  readonly commits: TaskCommit[];
  artifacts: readonly Artifact[];
  readonly titles: TaskTitle[];
  readonly todos: Set<string>;
  hasReply: boolean;
  isAccepted: boolean;
  changesAtCommit: number;
}

/**
 * Splits a session into tasks, message by message, in linear time. Expects messages without secrets.
 */
export class SessionStory {
  readonly #tasks: TaskDraft[] = [];
  /** Tool calls whose results may contain a commit or a pull request. */
  readonly #watched = new Map<string, "commit" | "pr">();
  #messages = 0;

  add(message: Message): void {
    this.#messages += 1;
    const speech = speechOf(message);
    const task = this.#taskFor(message, speech);
    task.lastAt = Math.max(task.lastAt, message.createdAt);
    task.ledger = reduceLedger(task.ledger, message);
    for (const part of message.parts) {
      if (part.type === "tool-call") this.#noteCall(task, part);
      else if (part.type === "tool-result") this.#noteResult(task, part);
    }
    if (speech !== "") this.#noteWords(task, message, speech);
  }

  get messages(): number {
    return this.#messages;
  }

  /** Tasks in order, without those that had no reply and no action. */
  get tasks(): readonly Task[] {
    return this.#tasks
      .filter(({ ledger, hasReply }) => ledger.requests.length > 0 && (hasReply || wasActive(ledger)))
      .map(({ id, sessionId, startedAt, lastAt, ledger, commits, artifacts, titles, todos, isAccepted }) => ({
        id,
        sessionId,
        startedAt,
        endedAt: lastAt,
        ledger,
        commits: [...commits],
        artifacts,
        titles: [...titles],
        todos: [...todos],
        isAccepted,
      }));
  }

  #taskFor(message: Message, speech: string): TaskDraft {
    const current = this.#tasks.at(-1);
    const isNew =
      current !== undefined &&
      message.role === "user" &&
      speech !== "" &&
      this.#tasks.length < MAX_TASKS &&
      startsTask(speech, message.createdAt, {
        ...current,
        isCommitted: current.commits.length > 0 && changesOf(current.ledger) === current.changesAtCommit,
      });
    if (current !== undefined && !isNew) return current;
    const { id, sessionId, createdAt } = message;
    const task: TaskDraft = {
      id,
      sessionId,
      startedAt: createdAt,
      lastAt: createdAt,
      ledger: EMPTY_LEDGER,
      subject: new Set(),
      commits: [],
      artifacts: [],
      titles: [],
      todos: new Set(),
      hasReply: false,
      isAccepted: false,
      changesAtCommit: -1,
    };
    this.#tasks.push(task);
    return task;
  }

  #noteCall(task: TaskDraft, part: ToolCallPart): void {
    const { shell, todos } = readCall(part);
    const items = todos?.type === "replace" ? todos.items : todos?.type === "add" ? [todos.item] : [];
    for (const { text } of items) if (task.todos.size < MAX_TODOS) task.todos.add(text);
    if (task.titles.length < MAX_TITLES) task.titles.push(...titlesOfCall(part));
    const script = shell?.text ?? "";
    const makes =
      COMMITS.test(script) && !SCRATCH.test(script) ? "commit" : OPENS_PULL_REQUEST.test(script) ? "pr" : undefined;
    if (makes === undefined) return;
    const [oldest] = this.#watched.keys();
    if (this.#watched.size >= MAX_WATCHED && oldest !== undefined) this.#watched.delete(oldest);
    this.#watched.set(part.toolCallId, makes);
  }

  #noteResult(task: TaskDraft, part: ToolResultPart): void {
    const makes = this.#watched.get(part.toolCallId);
    if (makes === undefined) return;
    this.#watched.delete(part.toolCallId);
    const output = toolOutputText(part.output);
    if (makes === "pr") this.#noteArtifacts(task, output);
    for (const commit of findCommits(output)) {
      // An amended commit has the same subject and another id.
      const known = task.commits.findIndex(({ subject }) => subject === commit.subject);
      if (known >= 0) task.commits.splice(known, 1);
      task.commits.push(commit);
      if (task.commits.length > MAX_COMMITS) task.commits.shift();
      task.changesAtCommit = changesOf(task.ledger);
    }
  }

  #noteArtifacts(task: TaskDraft, text: string): void {
    const found = findArtifacts(text);
    if (found.length > 0) task.artifacts = unique([...task.artifacts, ...found]).slice(-MAX_ARTIFACTS);
  }

  #noteWords(task: TaskDraft, message: Message, speech: string): void {
    this.#noteArtifacts(task, speech);
    const files = task.ledger.files.filter(wasChanged).slice(-5);
    for (const word of subjectWords(`${speech} ${files.map(({ path }) => path).join(" ")}`)) {
      if (task.subject.size < MAX_SUBJECT) task.subject.add(word);
    }
    if (message.role === "user") task.isAccepted = isPraise(speech);
    else if (!message.parts.some(({ type }) => type === "tool-call")) {
      task.hasReply ||= speech.length >= MIN_REPLY_LENGTH;
    }
  }
}

/** True if a message is only thanks or praise. */
function isPraise(speech: string): boolean {
  if (speech.length > MAX_PRAISE_LENGTH) return false;
  return splitSentences(speech, { anyCase: true }).every(({ text }) => isSmallTalk(text));
}

/** Text of a user or assistant message without injected parts. "" if there is none. */
function speechOf({ role, parts, isSummary = false, isCompactionTrigger = false }: Message): string {
  if ((role !== "user" && role !== "assistant") || isSummary || isCompactionTrigger) return "";
  const texts = parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  return withoutInjected(texts.join("\n\n")).trim();
}

function wasActive({ files, commands }: Ledger): boolean {
  return files.some(wasChanged) || commands.length > 0;
}

function changesOf({ files }: Ledger): number {
  return files.reduce((sum, { actions: { read: _, ...others } }) => {
    return sum + Object.values(others).reduce((times, one) => times + one, 0);
  }, 0);
}

/** State of the current task when the user sends a message. */
interface OpenTask {
  readonly ledger: Ledger;
  /** Subject words of requests, replies and changed files so far. */
  readonly subject: ReadonlySet<string>;
  /** Time of the last message, in milliseconds since 1970. 0 if unknown. */
  readonly lastAt: number;
  /** True if there was a commit and no change since. */
  readonly isCommitted: boolean;
}

/** Pause after which a request on another subject starts a new task. */
const PAUSE = 4 * HOUR;
const SWITCH =
  /\b(?:new task|next task|another (?:task|thing|topic|issue|bug|feature)|(?:something|completely|totally) (?:else|different)|unrelated|separate(?:ly)? (?:issue|task|thing)|mov(?:e|ing) on to|switch(?:ing)? to|different (?:task|topic|thing|issue))\b/i;
const ONWARD =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|thanks?|thank you|alright|good|cool|done)[,.!;: ]+)*(?:now|next)\b/i;
const FEW_WORDS = 3;
const MANY_WORDS = 6;
/** A request with a higher share of known subject words belongs to the current task. */
const KNOWN = { committed: 0.34, onward: 0.2, plain: 0.1, pause: 0.5 };
const MAX_REQUEST_LENGTH = 4_000;

/**
 * True if a message starts a new task: the user says so, or the current task has results and the message is about
 * another subject. The threshold is lower without signs that the current task has ended.
 */
function startsTask(speech: string, at: number, task: OpenTask): boolean {
  const { ledger, subject, lastAt, isCommitted } = task;
  if (ledger.requests.length === 0 || !hasSubstance(ledger)) return false;
  const request = speech.slice(0, MAX_REQUEST_LENGTH).trim();
  const words = subjectWords(request);
  if (words.size < FEW_WORDS) return false;
  if (SWITCH.test(request.slice(0, 200))) return true;
  const known = [...words].filter((word) => subject.has(word)).length / words.size;
  if (at > 0 && lastAt > 0 && at - lastAt >= PAUSE && known < KNOWN.pause) return true;
  if (words.size < MANY_WORDS) return false;
  if (isCommitted && known < KNOWN.committed) return true;
  return known < (ONWARD.test(request) ? KNOWN.onward : KNOWN.plain);
}

/** True if the task has results: a changed file, or a few commands. */
function hasSubstance({ files, commands }: Ledger): boolean {
  return files.some(wasChanged) || commands.length >= FEW_WORDS;
}
