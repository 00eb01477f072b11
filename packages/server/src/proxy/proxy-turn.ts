import {
  countTokens,
  InvalidMessageError,
  IrreducibleContextError,
  type Message,
  type PreparedTurn,
  type Session,
  type SessionOptions,
  StoreError,
  type Throughline,
} from "throughline";
import type { RecognisedOverflow } from "throughline/ai-sdk";
import { type JsonRecord, omitUndefined, withoutInjected } from "throughline/internal";
import { convertModelToRich } from "throughline/messages";
import { alignSession, withStoredIds } from "./align-session.ts";
import { limitMarks, withoutMarks } from "./cache-marks.ts";
import { ConversationTrace, hasReference } from "./conversation-trace.ts";
import { digestChain } from "./digest-messages.ts";
import { type Located, locateSession } from "./locate-session.ts";
import { replaceFields } from "./replace-fields.ts";
import type { SessionBook } from "./session-index.ts";
import { openSession, roomAfterRefusal } from "./session-settings.ts";
import { orNothing } from "./sniff-stream.ts";
import type { Answer, AskedTurn, Wire } from "./wire/wire.ts";
import { extraTokens, isUntouched, type WrittenWindow, writeWindow } from "./write-window.ts";

/** A request that belongs to a conversation. */
export interface TurnRequest {
  readonly wire: Wire;
  readonly asked: AskedTurn;
  /** As it came, and what it says. */
  readonly bytes: ArrayBuffer | string;
  readonly text: string;
  readonly body: JsonRecord;
  readonly settings: SessionOptions;
  /** Nobody knows what the model takes. */
  readonly isGuess: boolean;
  readonly name: string | undefined;
  readonly withMemory: boolean;
}

/** What a turn is done with, for the one who asks. */
export interface TurnPorts {
  readonly throughline: Throughline;
  /** Milliseconds to wait for the store. */
  readonly maxStoreWait: number;
  /** Milliseconds to wait for models in addition, while a request is prepared. */
  readonly maxModelWait: number;
  readonly book: SessionBook;
  readonly claim: (sessionId: string) => boolean;
  readonly release: (sessionId: string) => void;
  readonly isSeen: (sessionId: string) => Promise<boolean>;
  /** Notes how a session was opened, before anything is in it. */
  readonly opened: (sessionId: string) => Promise<void>;
  /** Told of the limit that the upstream named. */
  readonly learnLimit: (contextLimit: number) => void;
  /** Told of messages that were added to a session. */
  readonly appended: (sessionId: string) => Promise<void>;
}

/** What goes to the upstream. */
export interface Outgoing {
  readonly body: ArrayBuffer | string;
  /** How many messages of the conversation do not stand in it as they were said. */
  readonly compacted: number;
  readonly receiptId: string;
  /** Whether memories were asked for and could not be had. */
  readonly lacksMemory: boolean;
}

/** A prepared turn in the form that the client sends its messages in. */
interface ClientWindow {
  readonly turn: PreparedTurn;
  /** `undefined` if the conversation is sent as it came. */
  readonly written: WrittenWindow | undefined;
  /** Tokens that it takes beyond those that the receipt counts. */
  readonly extra: number;
}

/** What is sent after a refusal takes this share of the room: no second window is counted just as the first was. */
const SECOND_TRY = 0.9;

/** One request and its answer, in the session that they belong to. */
export class ProxyTurn {
  readonly #session: Session;
  readonly #request: TurnRequest;
  readonly #ports: TurnPorts;
  readonly #located: Located;
  /** How many messages the session has, as far as this turn knows. */
  #messages: number;
  /** Tokens for everything that is sent, once the upstream has said how many it takes. */
  #budget: number | undefined;
  #isOver = false;
  /** Settles when the answer is stored, or could not be. */
  #stored: Promise<void> = Promise.resolve();

  private constructor(request: TurnRequest, ports: TurnPorts, located: Located) {
    this.#request = request;
    this.#ports = ports;
    this.#located = located;
    this.#messages = located.messages + located.fresh.length;
    this.#session = openSession(ports.throughline, located.sessionId, request.settings);
  }

  /** Finds the session and adds what is new. `undefined` where the request goes on from what is not known here. */
  static async begin(request: TurnRequest, ports: TurnPorts): Promise<ProxyTurn | undefined> {
    const { wire, asked, name } = request;
    const wanted = { messages: asked.messages, previous: asked.previous, name, form: wire.form };
    const located = await locateSession(wanted, ports);
    if (located === undefined) return undefined;
    try {
      refuseReferences(located.fresh);
      if (located.messages === 0) await ports.opened(located.sessionId);
      const turn = new ProxyTurn(request, ports, located);
      await turn.#append(await turn.#fresh(), [located.digest]);
      return turn;
    } catch (error) {
      ports.release(located.sessionId);
      throw error;
    }
  }

  get sessionId(): string {
    return this.#session.id;
  }

  /**
   * What is to be sent: the request as it came, where it fits and nothing is to be added.
   *
   * @throws StoreError if the store does not answer in time.
   */
  async prepare(signal: AbortSignal): Promise<Outgoing> {
    const { maxStoreWait, maxModelWait } = this.#ports;
    const preparing = this.#prepare(signal);
    const settled = preparing.then(
      () => true,
      () => true,
    );
    if (await orNothing(settled, AbortSignal.timeout(maxStoreWait))) return preparing;
    // A model may be writing a summary. If the store does not answer either, it is the store that hangs.
    await withinStoreWait(this.#session.status(), maxStoreWait);
    return withinStoreWait(preparing, maxModelWait);
  }

  async #prepare(signal: AbortSignal): Promise<Outgoing> {
    const { wire, bytes, text, body } = this.#request;
    const { system } = this.#request.asked;
    const { turn, written } = await this.#fittingWindow(signal);
    const memories = turn.system.slice(system.length).trimStart() || undefined;
    const about = { receiptId: turn.receipt.id, lacksMemory: turn.receipt.notes.some((note) => isLack(note)) };
    if (written === undefined && memories === undefined) return { body: bytes, compacted: 0, ...about };
    const fields = wire.write(body, { messages: written?.messages, memories });
    const compacted = written === undefined ? 0 : this.#messages - written.intact;
    return { body: replaceFields(text, limitMarks(body, fields)), compacted, ...about };
  }

  /** A window that fits in the client's form too: a client may send answers in a longer form than they are stored in. */
  async #fittingWindow(signal: AbortSignal): Promise<ClientWindow> {
    const first = await this.#clientWindow(await this.#window(signal));
    const { tokens, budget } = first.turn.receipt;
    // A request with fewer characters than the budget has tokens fits in any form.
    if (this.#request.text.length <= budget || first.extra <= 0 || tokens + first.extra <= budget) return first;
    const share = tokens / (tokens + first.extra);
    try {
      return await this.#clientWindow(await this.#window(signal, Math.max(1, Math.floor(budget * share))));
    } catch (error) {
      if (error instanceof IrreducibleContextError) return first;
      throw error;
    }
  }

  async #clientWindow(turn: PreparedTurn): Promise<ClientWindow> {
    const isAll = this.#located.isWhole && isUntouched(turn.receipt);
    const window = this.#windowOf(turn);
    const written = isAll ? undefined : await this.#write(turn, window);
    return { turn, written, extra: extraTokens(written?.messages ?? this.#request.asked.messages, window) };
  }

  /** Before a window is given up, it gets the room that is kept free for the reply. */
  async #window(signal: AbortSignal, budget = this.#budget): Promise<PreparedTurn> {
    const { asked, withMemory, settings } = this.#request;
    const message = withMemory ? lastWords(asked.messages) : undefined;
    const about = { system: asked.system, toolTokens: countDefinitions(asked), memory: withMemory, signal };
    const given = omitUndefined({ ...about, message });
    try {
      return await this.#session.prepare(omitUndefined({ ...given, budget }));
    } catch (error) {
      const reserve = settings.outputReserve ?? 0;
      const isLast = budget !== undefined || reserve === 0;
      if (isLast || !(error instanceof IrreducibleContextError)) throw error;
      return this.#session.prepare({ ...given, budget: error.budget + reserve });
    }
  }

  /** Takes a refusal at its word: the next window is smaller. `false` where none could be small enough. */
  async learn(refusal: RecognisedOverflow): Promise<boolean> {
    const { asked, settings, isGuess } = this.#request;
    const { inputTokens, contextLimit: named } = refusal;
    const room = roomAfterRefusal(refusal, asked.maxTokens);
    if (room !== undefined && room.input <= 0) return false;
    const known = (isGuess ? undefined : settings.contextLimit) ?? Number.POSITIVE_INFINITY;
    this.#budget = room && Math.max(1, Math.floor(Math.min(room.input, known) * SECOND_TRY));
    if (named !== undefined) this.#ports.learnLimit(named);
    const report = omitUndefined({ contextLimit: room?.contextLimit, inputTokens, wasRefused: true });
    await withinStoreWait(this.#session.observe(report), this.#ports.maxStoreWait);
    return true;
  }

  /** Adds what the model said, unless somebody else went on with the session meanwhile. */
  takeIn(answer: Answer): Promise<void> {
    const storing = this.#takeIn(answer);
    this.#stored = storing.catch(() => undefined);
    return withinStoreWait(storing, this.#ports.maxStoreWait);
  }

  async #takeIn({ messages, named, usage, id }: Answer): Promise<void> {
    const { appended } = await this.#session.status();
    if (messages.length > 0 && appended === this.#messages) {
      const { digest, page, isWhole, trace } = this.#located;
      const ways = [messages, ...(named ?? []).filter((way) => way.length === messages.length)];
      const chains = await Promise.all(ways.map((way) => digestChain(way, digest)));
      const digests = chains.flatMap((chain) => chain.slice(-1));
      this.#messages += messages.length;
      await trace?.add(messages);
      await this.#append(messages, digests);
      const head = { sessionId: this.sessionId, messages: this.#messages, isWhole, digests, page };
      if (id !== undefined) await this.#ports.book.putResponse(id, head);
    }
    if (usage !== undefined) await this.#session.observe(usage);
  }

  /** Ends the turn. The session is free for another request as soon as the answer is stored. */
  leave(): void {
    // Only once: afterwards the session may belong to another request.
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#stored.then(() => this.#ports.release(this.sessionId));
  }

  /** What is new in the request, with the session's own call ids. */
  async #fresh(): Promise<readonly Message[]> {
    const { fresh, trace, isReworded } = this.#located;
    if (!isReworded || trace === undefined) return fresh;
    return withStoredIds(this.#ports.throughline, this.#session, fresh, trace);
  }

  async #append(messages: readonly Message[], digests: readonly string[]): Promise<void> {
    const { page, isWhole, trace } = this.#located;
    await this.#session.append(messages.map(withoutMarks));
    const traced = {
      traceDigest: trace?.digest,
      outlineDigest: trace?.outlineDigest,
      openingDigest: trace?.openingDigest(),
    };
    const head = { sessionId: this.sessionId, messages: this.#messages, isWhole, digests, ...traced };
    await this.#ports.book.put(page, omitUndefined(head));
    if (messages.length > 0) await this.#ports.appended(this.sessionId);
  }

  #windowOf({ messages }: PreparedTurn): readonly Message[] {
    const { prepared } = this.#session;
    // Somebody else may have prepared a window of this session meanwhile.
    return prepared?.messages === messages ? prepared.window : convertModelToRich(messages);
  }

  /** The window in the form that the client sends its messages in, as far as the request has them. */
  async #write({ receipt }: PreparedTurn, window: readonly Message[]): Promise<WrittenWindow> {
    const { messages } = this.#request.asked;
    const present =
      this.#located.trace ?? (await ConversationTrace.of("", messages.some(hasReference) ? [] : messages));
    return writeWindow(window, receipt, await alignSession(this.#ports.throughline, this.#session, present));
  }
}

/** @throws StoreError if the store takes longer. The work goes on, and nobody waits for it. */
export async function withinStoreWait<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const done = work.then((value) => ({ value }));
  const found = await orNothing(done, AbortSignal.timeout(milliseconds));
  if (found !== undefined) return found.value;
  throw new StoreError(
    "busy",
    `The store did not answer within ${milliseconds} ms. The request was forwarded without it.`,
  );
}

/** Tokens of what is sent beside the system prompt and the messages. */
export function countDefinitions({ definitions }: AskedTurn): number {
  return definitions.length === 0 ? 0 : countTokens(JSON.stringify(definitions));
}

/** What the user said last. Text that the client adds, in messages of its own too, is not what the user asks. */
function lastWords(messages: readonly Message[]): string | undefined {
  const wordsOf = ({ parts }: Message) =>
    parts
      .flatMap((part) => (part.type === "text" ? [withoutInjected(part.text)] : []))
      .join("\n")
      .trim();
  const last = messages.findLast((message) => message.role === "user" && wordsOf(message) !== "");
  return last && wordsOf(last);
}

/** What only the upstream can look up cannot be told to a session. */
function refuseReferences(messages: readonly Message[]): void {
  const at = messages.findIndex(hasReference);
  if (at >= 0) throw new InvalidMessageError({ message: at }, "names an item that was not seen here");
}

/** As a receipt says that memories could not be had. */
function isLack(note: string): boolean {
  return note.startsWith("No memories:");
}
