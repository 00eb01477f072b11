import { createSequentialQueue } from "../internal/concurrency.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { ReportedUsage } from "../receipt/receipt.ts";
import type { Session } from "../session/session.ts";
import {
  countContinued,
  countKnown,
  fingerprintParts,
  inView,
  type PartFingerprint,
  startsWithAll,
  type View,
} from "./part-fingerprints.ts";

/** A list that the AI SDK passed, and the window that was returned for it. */
interface Exchange {
  readonly input: readonly PartFingerprint[];
  window: readonly PartFingerprint[] | undefined;
  /** Number of parts in the history when the list was read. */
  readonly sent: number;
}

/** Lists to remember: the AI SDK continues one of the recent ones, and several calls may run at once. */
const MAX_EXCHANGES = 8;

/**
 * Finds the new messages of a list. The AI SDK passes the same messages repeatedly: version 6 everything since the call
 * began, version 7 the returned window plus new messages, a model its whole prompt, and an application its whole
 * conversation or only the last message.
 */
export class SessionTracker {
  readonly #session: Session;
  #sent: PartFingerprint[] = [];
  /** Number of messages behind these parts. */
  #messages = 0;
  #exchanges: Exchange[] = [];
  #finished = new Set<string>();
  #awaitsUsage = false;
  readonly #enqueue = createSequentialQueue();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Appends the new messages of a list. A question that is repeated after its answer counts as new. */
  appendNew(list: readonly Message[], view: View): Promise<void> {
    return this.#inOrder(async () => {
      const units = fingerprintParts(list);
      const seen = inView(units, view);
      const fresh = freshOf(list, seen, this.#countKnown(seen, view));
      const last = list.at(-1);
      const isAskedAgain = fresh.length === 0 && last?.role === "user" && !this.#endsWith(last, view);
      await this.#append(isAskedAgain ? [last] : fresh);
      this.#exchanges = [
        ...this.#exchanges.slice(1 - MAX_EXCHANGES),
        { input: units, window: undefined, sent: this.#sent.length },
      ];
    });
  }

  /** Appends the messages of a step. `isWhole`: the list starts with the steps before it. */
  appendStep(
    list: readonly Message[],
    { id, isWhole }: { readonly id?: string; readonly isWhole: boolean },
  ): Promise<void> {
    return this.#inOrder(async () => {
      if (id !== undefined && this.#finished.has(id)) return;
      const units = fingerprintParts(list);
      const since = this.#sent.slice(this.#exchanges.at(-1)?.sent ?? this.#sent.length);
      const known = Math.max(countKnown(since, units), isWhole ? countContinued(this.#sent, units) : 0);
      await this.#append(freshOf(list, units, known));
      if (id !== undefined) this.#finished = new Set([...[...this.#finished].slice(1 - MAX_EXCHANGES), id]);
    });
  }

  /** Appends an answer of the model. */
  appendAnswer(answer: Message): Promise<void> {
    return this.#inOrder(async () => {
      const units = fingerprintParts([answer]);
      const since = this.#sent.slice(this.#exchanges.at(-1)?.sent ?? this.#sent.length);
      await this.#append(freshOf([answer], units, countKnown(since, units)));
    });
  }

  /** Records the window that was returned for the last list. */
  recordWindow(window: readonly Message[]): void {
    const last = this.#exchanges.at(-1);
    if (last !== undefined) last.window = fingerprintParts(window);
    this.#awaitsUsage = true;
  }

  /** True if a list is the window returned last, and nothing was appended since. */
  isWindow(list: readonly Message[], view: View): boolean {
    const last = this.#exchanges.at(-1);
    if (last?.window === undefined || last.sent !== this.#sent.length) return false;
    const [given, seen] = [inView(last.window, view), inView(fingerprintParts(list), view)];
    return given.length === seen.length && startsWithAll(seen, given);
  }

  /** Reports the usage of the last window to the session, once. */
  async observe(reported: unknown): Promise<void> {
    const usage = readUsage(reported);
    if (!this.#awaitsUsage || usage === undefined) return;
    this.#awaitsUsage = false;
    await this.#session.reportUsage(usage);
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    return this.#enqueue(async () => {
      await this.#catchUp();
      await work();
    });
  }

  /** Rereads the history if another writer appended to the session. */
  async #catchUp(): Promise<void> {
    const { appended } = await this.#session.status();
    if (appended === this.#messages) return;
    const history = await this.#session.history();
    this.#sent = fingerprintParts(history);
    this.#messages = history.length;
  }

  async #append(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#session.append(messages);
    const units = fingerprintParts(messages);
    this.#sent.push(...units.map((unit) => ({ ...unit, message: unit.message + this.#messages })));
    this.#messages += messages.length;
  }

  #countKnown(seen: readonly PartFingerprint[], view: View): number {
    const known = countKnown(inView(this.#sent, view), seen);
    const exchange = this.#continued(seen, view);
    if (exchange === undefined) return known;
    const { length, sent } = exchange;
    return Math.max(known, length + countKnown(inView(this.#sent.slice(sent), view), seen.slice(length)));
  }

  /** Finds the known list that a new list continues: the longest match, and the latest of equal ones. */
  #continued(seen: readonly PartFingerprint[], view: View): { length: number; sent: number } | undefined {
    let found: { length: number; sent: number } | undefined;
    for (const { units, sent } of this.#heads()) {
      const head = inView(units, view);
      const isLonger = head.length > 0 && head.length >= (found?.length ?? 0);
      if (isLonger && startsWithAll(seen, head)) found = { length: head.length, sent };
    }
    return found;
  }

  #heads(): { units: readonly PartFingerprint[]; sent: number }[] {
    const heads = this.#exchanges.flatMap(({ input, window = [], sent }) => [
      { units: input, sent },
      { units: window, sent },
    ]);
    // The caller may have prepared a window directly and pass it on.
    const { lastWindow: prepared } = this.#session;
    if (prepared === undefined) return heads;
    const sent = this.#sent.findIndex(({ message }) => message >= prepared.appended);
    const units = fingerprintParts(toRichWindow(prepared.messages));
    return [{ units, sent: sent < 0 ? this.#sent.length : sent }, ...heads];
  }

  #endsWith(message: Message, view: View): boolean {
    const units = inView(fingerprintParts([message]), view);
    const end = inView(this.#sent.slice(-units.length), view);
    return units.length === end.length && startsWithAll(end, units);
  }
}

/** Messages after the first `known` parts. A partly known message is cut at the first new part. */
function freshOf(list: readonly Message[], units: readonly PartFingerprint[], known: number): Message[] {
  const next = units[known];
  if (next === undefined) return [];
  const last = units[known - 1];
  return list.slice(next.message).flatMap((message, index) => {
    const isHalfKnown = index === 0 && last?.message === next.message;
    return [isHalfKnown ? { ...message, parts: message.parts.slice(last.part + 1) } : message];
  });
}

const trackers = new WeakMap<Session, SessionTracker>();

/** Returns the tracker of a session, shared by all integrations of that session. */
export function trackerOf(session: Session): SessionTracker {
  const known = trackers.get(session);
  if (known !== undefined) return known;
  const tracker = new SessionTracker(session);
  trackers.set(session, tracker);
  return tracker;
}

/**
 * Reads the input token usage, as a model reports it (`inputTokens.total`, `.cacheRead`) or as a step does
 * (`inputTokens`, `inputTokenDetails.cacheReadTokens`); `undefined` if there is none.
 */
function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = isRecord(usage.inputTokens) ? usage.inputTokens : { total: usage.inputTokens };
  const details = isRecord(usage.inputTokenDetails) ? usage.inputTokenDetails : {};
  const inputTokens = count(input.total);
  if (inputTokens === undefined || inputTokens === 0) return undefined;
  return omitUndefined({
    inputTokens,
    cacheReadTokens: count(input.cacheRead) ?? count(details.cacheReadTokens),
    cacheWriteTokens: count(input.cacheWrite) ?? count(details.cacheWriteTokens),
  });
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
