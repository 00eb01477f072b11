import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import { beginsWith, countContinued, countKnown } from "./count-known.ts";
import { readUsage } from "./read-usage.ts";
import { inView, type SpokenUnit, spokenUnits, type View } from "./spoken-units.ts";

/** One list that the SDK handed over, and the window that it was given for it. */
interface Exchange {
  readonly input: readonly SpokenUnit[];
  window: readonly SpokenUnit[] | undefined;
  /** How much had been said when the list was taken in. */
  readonly said: number;
}

/** The SDK goes on from one of the lists of late; several calls may run at once. */
const REMEMBERED = 8;

/**
 * Knows what of a list is new to a session. The SDK hands over the same messages again and again: version 6 everything
 * since the call began, version 7 the window that it was given and what came since, a model its whole prompt, and an
 * application its whole conversation or only what was just said.
 */
export class SessionTracker {
  readonly #session: Session;
  #said: SpokenUnit[] = [];
  /** How many messages they are. */
  #messages = 0;
  #exchanges: Exchange[] = [];
  #finished = new Set<string>();
  #awaitsUsage = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Appends what is new in a list. A question that is asked once more after it was answered is new again. */
  takeIn(list: readonly Message[], view: View): Promise<void> {
    return this.#inTurn(async () => {
      const units = spokenUnits(list);
      const seen = inView(units, view);
      const fresh = freshOf(list, seen, this.#countKnown(seen, view));
      const last = list.at(-1);
      const isAskedAgain = fresh.length === 0 && last?.role === "user" && !this.#endsWith(last, view);
      await this.#append(isAskedAgain ? [last] : fresh);
      this.#exchanges = [
        ...this.#exchanges.slice(1 - REMEMBERED),
        { input: units, window: undefined, said: this.#said.length },
      ];
    });
  }

  /** Appends what a step brought. `isWhole`: the list has the steps before it in front. */
  takeInStep(
    list: readonly Message[],
    { id, isWhole }: { readonly id?: string; readonly isWhole: boolean },
  ): Promise<void> {
    return this.#inTurn(async () => {
      if (id !== undefined && this.#finished.has(id)) return;
      const units = spokenUnits(list);
      const since = this.#said.slice(this.#exchanges.at(-1)?.said ?? this.#said.length);
      const known = Math.max(countKnown(since, units), isWhole ? countContinued(this.#said, units) : 0);
      await this.#append(freshOf(list, units, known));
      if (id !== undefined) this.#finished = new Set([...[...this.#finished].slice(1 - REMEMBERED), id]);
    });
  }

  /** Appends an answer of the model, as it was given. */
  takeInAnswer(answer: Message): Promise<void> {
    return this.#inTurn(async () => {
      const units = spokenUnits([answer]);
      const since = this.#said.slice(this.#exchanges.at(-1)?.said ?? this.#said.length);
      await this.#append(freshOf([answer], units, countKnown(since, units)));
    });
  }

  /** Remembers the window that was given for the last list. */
  noteWindow(window: readonly Message[]): void {
    const last = this.#exchanges.at(-1);
    if (last !== undefined) last.window = spokenUnits(window);
    this.#awaitsUsage = true;
  }

  /** Whether a list is the window that was given last, with nothing said since. */
  isWindow(list: readonly Message[], view: View): boolean {
    const last = this.#exchanges.at(-1);
    if (last?.window === undefined || last.said !== this.#said.length) return false;
    const [given, seen] = [inView(last.window, view), inView(spokenUnits(list), view)];
    return given.length === seen.length && beginsWith(seen, given);
  }

  /** Tells the session what the provider counted for the last window: once, whoever reports it first. */
  async observe(reported: unknown): Promise<void> {
    const usage = readUsage(reported);
    if (!this.#awaitsUsage || usage === undefined) return;
    this.#awaitsUsage = false;
    await this.#session.observe(usage);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(async () => {
      await this.#catchUp();
      await work();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** Others append too: then what was said is read again. */
  async #catchUp(): Promise<void> {
    const { appended } = await this.#session.status();
    if (appended === this.#messages) return;
    const history = await this.#session.history();
    this.#said = spokenUnits(history);
    this.#messages = history.length;
  }

  async #append(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#session.append(messages);
    const units = spokenUnits(messages);
    this.#said.push(...units.map((unit) => ({ ...unit, message: unit.message + this.#messages })));
    this.#messages += messages.length;
  }

  #countKnown(seen: readonly SpokenUnit[], view: View): number {
    const known = countKnown(inView(this.#said, view), seen);
    const exchange = this.#continued(seen, view);
    if (exchange === undefined) return known;
    const { length, said } = exchange;
    return Math.max(known, length + countKnown(inView(this.#said.slice(said), view), seen.slice(length)));
  }

  /** What a list goes on from, and how much was said by then: by most of the list, and the latest of those. */
  #continued(seen: readonly SpokenUnit[], view: View): { length: number; said: number } | undefined {
    let found: { length: number; said: number } | undefined;
    for (const { units, said } of this.#heads()) {
      const head = inView(units, view);
      const isLonger = head.length > 0 && head.length >= (found?.length ?? 0);
      if (isLonger && beginsWith(seen, head)) found = { length: head.length, said };
    }
    return found;
  }

  #heads(): { units: readonly SpokenUnit[]; said: number }[] {
    const heads = this.#exchanges.flatMap(({ input, window = [], said }) => [
      { units: input, said },
      { units: window, said },
    ]);
    // Somebody may have prepared a window without us, and hand it over.
    const { prepared } = this.#session;
    if (prepared === undefined) return heads;
    const said = this.#said.findIndex(({ message }) => message >= prepared.appended);
    const units = spokenUnits(toRichWindow(prepared.messages));
    return [{ units, said: said < 0 ? this.#said.length : said }, ...heads];
  }

  #endsWith(message: Message, view: View): boolean {
    const units = inView(spokenUnits([message]), view);
    const end = inView(this.#said.slice(-units.length), view);
    return units.length === end.length && beginsWith(end, units);
  }
}

/** The messages behind the first `known` units; one that is half known is cut where the new begins. */
function freshOf(list: readonly Message[], units: readonly SpokenUnit[], known: number): Message[] {
  const next = units[known];
  if (next === undefined) return [];
  const last = units[known - 1];
  return list.slice(next.message).flatMap((message, index) => {
    const isHalfKnown = index === 0 && last?.message === next.message;
    return [isHalfKnown ? { ...message, parts: message.parts.slice(last.part + 1) } : message];
  });
}

const trackers = new WeakMap<Session, SessionTracker>();

/** The one tracker of a session: all that work with it know what the others have appended. */
export function trackerOf(session: Session): SessionTracker {
  const known = trackers.get(session);
  if (known !== undefined) return known;
  const tracker = new SessionTracker(session);
  trackers.set(session, tracker);
  return tracker;
}
