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
import type { ReportedOverflow } from "throughline/ai-sdk";
import { withoutInjected } from "throughline/internal/engine";
import { type JsonRecord, omitUndefined } from "throughline/internal/util";
import { convertModelToRich } from "throughline/messages";
import { limitMarks, replaceFields, withoutMarks } from "./rewrite-request.ts";
import { alignSession, withStoredIds } from "./sessions/align-session.ts";
import { ConversationTrace, hasReference } from "./sessions/conversation-trace.ts";
import { digestChain } from "./sessions/digest-messages.ts";
import { type Located, locateSession } from "./sessions/locate-session.ts";
import type { SessionIndex } from "./sessions/session-index.ts";
import { limitsAfterRefusal, openSession } from "./sessions/session-settings.ts";
import { orAborted } from "./upstream/event-stream.ts";
import type { Answer, RequestedTurn, Wire } from "./wire/wire.ts";
import { extraTokens, isUntouched, type WrittenWindow, writeWindow } from "./write-window.ts";

/** A request that belongs to a conversation. */
export interface TurnRequest {
  readonly wire: Wire;
  readonly conversation: RequestedTurn;
  /** The original body and its parsed content. */
  readonly bytes: ArrayBuffer | string;
  readonly text: string;
  readonly body: JsonRecord;
  readonly settings: SessionOptions;
  /** True if the context window of the model is unknown. */
  readonly isGuess: boolean;
  readonly name: string | undefined;
  readonly withMemory: boolean;
}

/** Dependencies of a turn, bound to its caller. */
export interface TurnPorts {
  readonly throughline: Throughline;
  /** Milliseconds to wait for the store. */
  readonly maxStoreWait: number;
  /** Additional milliseconds to wait for models while a request is prepared. */
  readonly maxModelWait: number;
  readonly sessionIndex: SessionIndex;
  readonly claim: (sessionId: string) => boolean;
  readonly release: (sessionId: string) => void;
  readonly isSeen: (sessionId: string) => Promise<boolean>;
  /** Records the options of a session before its first message. */
  readonly opened: (sessionId: string) => Promise<void>;
  /** Called with the limit that the upstream named. */
  readonly learnLimit: (contextLimit: number) => void;
  /** Called after messages were appended to a session. */
  readonly appended: (sessionId: string) => Promise<void>;
}

/** The request to the upstream. */
export interface Outgoing {
  readonly body: ArrayBuffer | string;
  /** Number of conversation messages that are not sent in full. */
  readonly compacted: number;
  readonly receiptId: string;
  /** True if memories were requested and could not be loaded. */
  readonly lacksMemory: boolean;
}

/** A prepared window in the client's message format. */
interface ClientWindow {
  readonly turn: PreparedTurn;
  /** `undefined` if the conversation is sent unchanged. */
  readonly written: WrittenWindow | undefined;
  /** Tokens in addition to those counted in the receipt. */
  readonly extra: number;
}

/** Share of the budget used after a refusal, because a second window is counted the same way as the first. */
const SECOND_TRY = 0.9;

/** One request and its response, in their session. */
export class ProxyTurn {
  readonly #session: Session;
  readonly #request: TurnRequest;
  readonly #ports: TurnPorts;
  readonly #located: Located;
  /** Number of messages in the session, as far as this turn knows. */
  #messages: number;
  /** Token budget of the request, once the upstream has named its limit. */
  #budget: number | undefined;
  #isOver = false;
  /** Resolves when the answer is stored, or could not be stored. */
  #stored: Promise<void> = Promise.resolve();

  private constructor(request: TurnRequest, ports: TurnPorts, located: Located) {
    this.#request = request;
    this.#ports = ports;
    this.#located = located;
    this.#messages = located.messages + located.fresh.length;
    this.#session = openSession(ports.throughline, located.sessionId, request.settings);
  }

  /**
   * Finds the session and appends new messages. Returns `undefined` if the request continues something unknown here.
   */
  static async begin(request: TurnRequest, ports: TurnPorts): Promise<ProxyTurn | undefined> {
    const { wire, conversation, name } = request;
    const wanted = { messages: conversation.messages, previous: conversation.previous, name, form: wire.form };
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
   * Prepares the body to send: the original one if it fits and nothing is to be added.
   *
   * @throws StoreError if the store does not respond in time
   */
  async prepare(signal: AbortSignal): Promise<Outgoing> {
    const { maxStoreWait, maxModelWait } = this.#ports;
    const preparing = this.#prepare(signal);
    const prepared = preparing.then(
      () => true,
      () => true,
    );
    if (await orAborted(prepared, AbortSignal.timeout(maxStoreWait))) return preparing;
    // A model may be writing a summary. If the store does not respond either, the store hangs.
    await withinStoreWait(this.#session.status(), maxStoreWait);
    return withinStoreWait(preparing, maxModelWait);
  }

  async #prepare(signal: AbortSignal): Promise<Outgoing> {
    const { wire, bytes, text, body } = this.#request;
    const { system } = this.#request.conversation;
    const { turn, written } = await this.#fittingWindow(signal);
    const memories = turn.system.slice(system.length).trimStart() || undefined;
    const about = { receiptId: turn.receipt.id, lacksMemory: turn.receipt.notes.some((note) => isLack(note)) };
    if (written === undefined && memories === undefined) return { body: bytes, compacted: 0, ...about };
    const fields = wire.write(body, { messages: written?.messages, memories });
    const compacted = written === undefined ? 0 : this.#messages - written.intact;
    return { body: replaceFields(text, limitMarks(body, fields)), compacted, ...about };
  }

  /** A window that also fits in the client's format, which may be longer than the stored one. */
  async #fittingWindow(signal: AbortSignal): Promise<ClientWindow> {
    const first = await this.#clientWindow(await this.#window(signal));
    const { tokens, budget } = first.turn.receipt;
    // A request with fewer characters than the budget has tokens always fits.
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
    return { turn, written, extra: extraTokens(written?.messages ?? this.#request.conversation.messages, window) };
  }

  /** Before giving up on a window, also use the space that is reserved for the reply. */
  async #window(signal: AbortSignal, budget = this.#budget): Promise<PreparedTurn> {
    const { conversation, withMemory, settings } = this.#request;
    const message = withMemory ? lastWords(conversation.messages) : undefined;
    const about = {
      system: conversation.system,
      toolTokens: countDefinitions(conversation),
      memory: withMemory,
      signal,
    };
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

  /** Applies the limit of a refusal to the next window. Returns `false` if no window could be small enough. */
  async learn(refusal: ReportedOverflow): Promise<boolean> {
    const { conversation, settings, isGuess } = this.#request;
    const { inputTokens, contextLimit: named } = refusal;
    const limits = limitsAfterRefusal(refusal, conversation.maxTokens);
    if (limits !== undefined && limits.input <= 0) return false;
    const known = (isGuess ? undefined : settings.contextLimit) ?? Number.POSITIVE_INFINITY;
    this.#budget = limits && Math.max(1, Math.floor(Math.min(limits.input, known) * SECOND_TRY));
    if (named !== undefined) this.#ports.learnLimit(named);
    const report = omitUndefined({ contextLimit: limits?.contextLimit, inputTokens, wasRefused: true });
    await withinStoreWait(this.#session.reportUsage(report), this.#ports.maxStoreWait);
    return true;
  }

  /** Stores the model's answer, unless another writer continued the session in the meantime. */
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
      if (id !== undefined) await this.#ports.sessionIndex.putResponse(id, head);
    }
    if (usage !== undefined) await this.#session.reportUsage(usage);
  }

  /** Ends the turn. The session is free for another request as soon as the answer is stored. */
  leave(): void {
    // Only once: afterwards the session may belong to another request.
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#stored.then(() => this.#ports.release(this.sessionId));
  }

  /** The new messages of the request, with the call ids of the session. */
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
    await this.#ports.sessionIndex.put(page, omitUndefined(head));
    if (messages.length > 0) await this.#ports.appended(this.sessionId);
  }

  #windowOf({ messages }: PreparedTurn): readonly Message[] {
    const { lastWindow: prepared } = this.#session;
    // Another request may have prepared a window of this session in the meantime.
    return prepared?.messages === messages ? prepared.window : convertModelToRich(messages);
  }

  /** Converts the window to the client's format, as far as the request has its messages. */
  async #write({ receipt }: PreparedTurn, window: readonly Message[]): Promise<WrittenWindow> {
    const { messages } = this.#request.conversation;
    const present =
      this.#located.trace ?? (await ConversationTrace.of("", messages.some(hasReference) ? [] : messages));
    return writeWindow(window, receipt, await alignSession(this.#ports.throughline, this.#session, present));
  }
}

/** @throws StoreError if the store takes longer; the work continues in the background */
export async function withinStoreWait<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const done = work.then((value) => ({ value }));
  const found = await orAborted(done, AbortSignal.timeout(milliseconds));
  if (found !== undefined) return found.value;
  throw new StoreError(
    "busy",
    `The store did not respond within ${milliseconds} ms. The request was forwarded without it.`,
  );
}

/** Tokens of everything except the system prompt and the messages. */
export function countDefinitions({ definitions }: RequestedTurn): number {
  return definitions.length === 0 ? 0 : countTokens(JSON.stringify(definitions));
}

/** The last user text. Text that the client adds, even in its own messages, is not the user's. */
function lastWords(messages: readonly Message[]): string | undefined {
  const wordsOf = ({ parts }: Message) =>
    parts
      .flatMap((part) => (part.type === "text" ? [withoutInjected(part.text)] : []))
      .join("\n")
      .trim();
  const last = messages.findLast((message) => message.role === "user" && wordsOf(message) !== "");
  return last && wordsOf(last);
}

/** Content that only the upstream can resolve cannot be stored in a session. */
function refuseReferences(messages: readonly Message[]): void {
  const at = messages.findIndex(hasReference);
  if (at >= 0)
    throw new InvalidMessageError(
      { message: at },
      "it refers to an earlier item by id, and this server has not stored that item; send the item itself (store: false)",
    );
}

/** True if a receipt note reports missing memories. */
function isLack(note: string): boolean {
  return note.startsWith("No memories:");
}
