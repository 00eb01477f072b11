import { omitUndefined } from "../internal/json.ts";
import { cutMiddle, oneLine } from "../internal/text.ts";
import { runSteps, runStepsYielding } from "../internal/yield-to-event-loop.ts";
import type { Message } from "../message/message.ts";
import type { Part, ToolApprovalResponsePart, ToolCallPart, ToolResultPart } from "../message/part.ts";
import { toolOutputText } from "../message/tool-output.ts";
import { findIdentifiers } from "./find-identifiers.ts";
import { keepBounded, type Ledger, type LedgerTodo, LIMITS, type PendingCall } from "./ledger.ts";
import { Mentions, noteNames, type Place } from "./ledger-names.ts";
import { leavesOpen, typedText, userWordsSteps, withoutInjected } from "./quoted/user-words.ts";
import { readCall, readCheckBoxes, readTaskList, type TodoItem, type TodoUpdate } from "./read/read-call.ts";
import { readOutcome } from "./read/read-outcome.ts";
import { readRefusal } from "./read/read-refusal.ts";
import { noteEffect, noteOutcome, noteRefusedCall, noteUnanswered, planTouches } from "./reduce-outcome.ts";
import {
  noteAnswer,
  noteConsent,
  noteInterruption,
  noteRefusal,
  noteSpeech,
  refusalLabel,
  withoutInterruption,
} from "./reduce-requests.ts";
import { noteStatements } from "./statements.ts";

const CHARACTERS_PER_TOKEN = 4;
/** Maximum characters to read of one text. Of a longer one, the head and the tail are read. */
const MAX_READ = 1_000_000;

/** A tool that changes something other than files, such as a page of a website: `createPage`, `cms__update_section`. */
const CHANGING_TOOL =
  /(?:^|__)(?:create|update|add|insert|delete|remove|publish|upload|attach|edit|move|rename|replace|set|save|schedule|duplicate|reorder|book|cancel|send)(?:[A-Z_-]|$)/;

/** The status of a to-do, which is no name. */
const TODO_STATUS = /^(?:pending|in_progress|completed|cancelled)$/;
/** Number of path segments in the label of a refused file operation. */
const MAX_SEGMENTS = 2;

/** Beginning of a summary that another agent wrote as a user message. */
const FOREIGN_SUMMARY = /^This session is being continued from a previous conversation\b/;

/** An error of the connection that a client wrote in place of a reply. */
const CLIENT_ERROR = /^API Error\b/;

/**
 * Adds one message to a ledger. Returns a new ledger; the cost depends on the message only, not on the length of the
 * session.
 *
 * @param ledger Ledger of the messages so far; `EMPTY_LEDGER` before the first one.
 * @param message The next message.
 *
 * @example
 * const ledger = messages.reduce(reduceLedger, EMPTY_LEDGER);
 */
export function reduceLedger(ledger: Ledger, message: Message): Ledger {
  return runSteps(reduceSteps(ledger, message));
}

/** The same, but other tasks may run in between. */
export function reduceLedgerYielding(ledger: Ledger, message: Message): Promise<Ledger> {
  return runStepsYielding(reduceSteps(ledger, message));
}

function* reduceSteps(ledger: Ledger, message: Message): Generator<undefined, Ledger> {
  const at = ledger.messages + 1;
  const reduction: ReductionState = { at, mentions: new Mentions(), length: 0, isOpen: false };
  let next: Ledger = { ...(message.role === "assistant" ? noteUnanswered(ledger) : ledger), messages: at };
  if (message.role !== "system") {
    for (const part of message.parts) {
      next = yield* notePart(next, message, part, reduction);
      yield;
    }
    if (endsTurn(message)) next = noteAnswer(next);
  }
  const clock = ledger.clock + Math.ceil(reduction.length / CHARACTERS_PER_TOKEN);
  return { ...next, clock, names: noteNames(next.names, clock, reduction.mentions) };
}

/** State while one message is reduced. */
interface ReductionState {
  readonly at: number;
  readonly mentions: Mentions;
  length: number;
  /** True if pasted text is unclosed and continues in the next part. */
  isOpen: boolean;
}

function* notePart(
  ledger: Ledger,
  message: Message,
  part: Part,
  reduction: ReductionState,
): Generator<undefined, Ledger> {
  switch (part.type) {
    case "text":
      return yield* noteText(ledger, message, part, reduction);
    case "reasoning":
      mention(reduction, readable(part.text, reduction), "reasoning");
      return ledger;
    case "compaction-marker":
      mention(reduction, readable(part.summary, reduction), "summary");
      return ledger;
    case "tool-call":
      return noteCall(ledger, part, reduction);
    case "tool-result":
      return noteResult(ledger, part, reduction);
    case "tool-approval-request":
      return noteApprovalRequest(ledger, part.toolCallId, part.approvalId);
    case "tool-approval-response":
      return noteApproval(ledger, part, reduction.at);
    default:
      return ledger;
  }
}

/** Reads a text of the user or the assistant. Of summaries and texts added by a client, only names are read. */
function* noteText(
  ledger: Ledger,
  message: Message,
  { id, text: whole, synthetic }: Extract<Part, { type: "text" }>,
  reduction: ReductionState,
): Generator<undefined, Ledger> {
  const text = readable(whole, reduction);
  if (message.isSummary === true || synthetic === true || message.role === "tool") {
    mention(reduction, text, message.isSummary === true ? "summary" : "synthetic");
    return message.role === "user" ? noteInterruption(ledger, text) : ledger;
  }
  if (message.role === "user" && FOREIGN_SUMMARY.test(text)) {
    mention(reduction, text, "summary");
    if (ledger.requests.length > 0) return ledger;
    // The first line and the last paragraph only ask the reader to continue.
    return noteStatements(ledger, text.replace(/^[^\n]*\n?|\n(?:Please c|C)ontinue [^\n]*$/g, ""), reduction.at);
  }
  if (message.role === "user") {
    const speech = withoutInjected(text);
    yield;
    const own = reduction.isOpen ? "" : (yield* userWordsSteps(withoutInterruption(typedText(text)))).own;
    yield;
    if (message.parts.at(-1)?.id !== id) reduction.isOpen ||= leavesOpen(text);
    yield;
    mention(reduction, speech, "speech");
    yield;
    const said = { speech, own, part: id, at: reduction.at, time: message.createdAt };
    return noteCheckBoxes(noteSpeech(ledger, said), readCheckBoxes(own), reduction.at);
  }
  mention(reduction, text, "reply");
  yield;
  if (message.error !== undefined || CLIENT_ERROR.test(text)) return ledger;
  return noteCheckBoxes(noteStatements(ledger, text, reduction.at), readCheckBoxes(text), reduction.at);
}

/** Reads a call. Its effects are recorded when its result shows that it ran. */
function noteCall(ledger: Ledger, part: ToolCallPart, reduction: ReductionState): Ledger {
  const facts = readCall(part);
  const { shell } = facts;
  const touches = planTouches(ledger, facts.touches);
  const file = touches.at(-1)?.id;
  for (const { text, place } of facts.texts) {
    if (facts.todos !== undefined && TODO_STATUS.test(text)) continue;
    mention(reduction, readable(text, reduction), place, place === "body" ? file : undefined);
  }
  const command = oneLine(shell?.text ?? "", LIMITS.command);
  const isChange = facts.todos === undefined && CHANGING_TOOL.test(part.toolName);
  const hasEffect = touches.length > 0 || command !== "" || isChange;
  const call: PendingCall = omitUndefined({
    id: part.toolCallId.slice(0, LIMITS.callId),
    gist: shell?.gist,
    tests: shell?.tests,
    parts: shell?.parts,
    file,
    tool: part.toolName.slice(0, LIMITS.toolName),
    effect: hasEffect
      ? omitUndefined({
          at: reduction.at,
          touches,
          command: command === "" ? undefined : command,
          isAllOrNothing: shell?.isAllOrNothing === true ? true : undefined,
          isChange: isChange ? true : undefined,
          lines: facts.lines.length > 0 ? facts.lines : undefined,
        })
      : undefined,
  });
  const nextFile = Math.max(ledger.nextFile, ...touches.map(({ id }) => id + 1));
  const read = { ...ledger, nextFile };
  const next = facts.todos === undefined ? read : noteTodos(read, facts.todos, reduction.at);
  if (part.providerExecuted === true) return noteEffect(next, call);
  return { ...next, pending: keepBounded([...next.pending, call], LIMITS.pending) };
}

/** Reads a result as data: its names, and the outcome of its call. */
function noteResult(ledger: Ledger, part: ToolResultPart, reduction: ReductionState): Ledger {
  const text = readable(toolOutputText(part.output), reduction);
  const id = part.toolCallId.slice(0, LIMITS.callId);
  const call = ledger.pending.find((one) => one.id === id);
  mention(reduction, text, "result", call?.gist === undefined ? call?.file : undefined);
  const refusal = part.providerExecuted === true ? undefined : readRefusal(part);
  const noted = refusal === undefined ? ledger : noteRefused(ledger, part, call, refusal, reduction.at);
  if (call === undefined) return noted;
  const tasks = readTaskList(part.toolName, text);
  const listed = tasks === undefined ? noted : noteTodos(noted, tasks, reduction.at);
  const next = { ...listed, pending: listed.pending.filter((one) => one !== call) };
  if (refusal !== undefined) return noteRefusedCall(next, call);
  const edits = call.gist === undefined && call.effect?.touches.some(({ action }) => action !== "read") === true;
  const outcome = readOutcome(part, text, { tests: call.tests, edits });
  const ended = noteOutcome(next, call, outcome, reduction.at);
  if (outcome.failed || ended.constraints.length === 0) return ended;
  return { ...ended, constraints: noteConsent(ended.constraints, callText(ended, call, part.toolName)) };
}

/** Records a refused call. Words with the refusal are a request, and also a rule if they are a reason. */
function noteRefused(
  ledger: Ledger,
  { id, toolName }: ToolResultPart,
  call: PendingCall | undefined,
  words: string,
  at: number,
): Ledger {
  if (words === "") return ledger;
  const refused = callText(ledger, call, toolName);
  const next = noteRefusal(ledger, { reason: words, refused, part: id, at });
  return noteSpeech(next, { speech: words, own: "", part: id, at, time: 0 });
}

/** Label of a refused call: its command, its tool with a file, or its tool. */
function callText({ commands, files }: Ledger, call: PendingCall | undefined, toolName: string): string {
  const { gist, file, effect } = call ?? {};
  const command = effect?.command ?? commands.findLast((one) => gist !== undefined && one.gist === gist)?.text;
  if (command !== undefined) return refusalLabel(command);
  const path = effect?.touches.at(-1)?.path ?? files.find(({ id }) => id === file)?.path;
  const name = path === undefined ? toolName : `${toolName} ${path.split("/").slice(-MAX_SEGMENTS).join("/")}`;
  return refusalLabel(name);
}

function noteApprovalRequest(ledger: Ledger, toolCallId: string, approvalId: string): Ledger {
  const id = toolCallId.slice(0, LIMITS.callId);
  const approval = approvalId.slice(0, LIMITS.callId);
  return { ...ledger, pending: ledger.pending.map((call) => (call.id === id ? { ...call, approval } : call)) };
}

/** Records the answer to an approval request. A refused call has no effects, and the reason is kept. */
function noteApproval(
  ledger: Ledger,
  { id, approvalId, approved, reason }: ToolApprovalResponsePart,
  at: number,
): Ledger {
  if (approved) return ledger;
  const approval = approvalId.slice(0, LIMITS.callId);
  const call = ledger.pending.find((one) => one.approval === approval);
  const pending = ledger.pending.map((one) => (one === call ? { ...one, refused: true } : one));
  const noted = call === undefined ? ledger : noteRefusedCall({ ...ledger, pending }, call);
  if (reason === undefined) return noted;
  return noteRefusal(noted, { reason, refused: callText(ledger, call, call?.tool ?? ""), part: id, at });
}

/** The part of a text that is read. The length of the message counts all of it. */
function readable(text: string, reduction: ReductionState): string {
  const read = cutMiddle(text, MAX_READ, "\n…\n");
  reduction.length += text.length - read.length;
  return read;
}

function mention(reduction: ReductionState, text: string, place: Place, file?: number): void {
  reduction.length += text.length;
  reduction.mentions.add(findIdentifiers(text), place, file);
}

/** True if the assistant replied without a tool call and without an error. */
function endsTurn({ role, parts, error, isSummary }: Message): boolean {
  if (role !== "assistant" || error !== undefined || isSummary === true) return false;
  const spoke = parts.some(
    (part) =>
      part.type === "text" && part.synthetic !== true && part.text.trim() !== "" && !CLIENT_ERROR.test(part.text),
  );
  return spoke && !parts.some((part) => part.type === "tool-call");
}

/** Updates the to-dos with the input of a to-do tool. */
function noteTodos(ledger: Ledger, update: TodoUpdate, at: number): Ledger {
  return { ...ledger, todos: keepBounded(updated(ledger.todos, update, at), LIMITS.todos) };
}

/** Updates the to-dos with the check boxes of a text. */
function noteCheckBoxes(ledger: Ledger, items: readonly TodoItem[], at: number): Ledger {
  if (items.length === 0) return ledger;
  const texts = new Set(items.map(({ text }) => text));
  const others = ledger.todos.filter(({ list, text }) => list !== "text" || !texts.has(text));
  const boxes = items.map((item): LedgerTodo => ({ ...item, list: "text", at }));
  return { ...ledger, todos: keepBounded([...others, ...boxes], LIMITS.todos) };
}

function updated(todos: readonly LedgerTodo[], update: TodoUpdate, at: number): readonly LedgerTodo[] {
  switch (update.type) {
    case "replace":
    case "tasks": {
      const name = update.type === "tasks" ? "tasks" : "tool";
      return [
        ...todos.filter(({ list }) => list !== name),
        ...update.items.map((item): LedgerTodo => ({ ...item, list: name, at })),
      ];
    }
    case "add": {
      // Task tools count from 1, and only their result has the number.
      const last = todos.findLast(({ list }) => list === "tasks");
      const id = update.item.id ?? String(Number(last?.id ?? 0) + 1);
      return [...todos, { ...update.item, id, list: "tasks", at }];
    }
    case "change":
      return todos.flatMap((todo) => {
        if (todo.list !== "tasks" || todo.id !== update.id) return [todo];
        return update.remove === true ? [] : [{ ...todo, status: update.status ?? todo.status, at }];
      });
  }
}
