import { InvalidMessageError } from "../../errors/invalid-message-error.ts";
import type { Message } from "../../message/message.ts";
import { type JsonRecord, omitUndefined } from "../../message/read-json.ts";
import type { RecognisedOverflow } from "../../overflow/recognise-overflow.ts";
import type { Session } from "../../session/session.ts";
import type { SessionOptions, Throughline } from "../../throughline.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { digestChain, isReference } from "./digest-messages.ts";
import { type Located, locateSession } from "./locate-session.ts";
import { replaceFields } from "./replace-fields.ts";
import type { SessionBook } from "./session-book.ts";
import { openSession } from "./session-settings.ts";
import type { Answer, AskedTurn, Wire } from "./wire/wire.ts";
import { isUntouched, writeWindow } from "./write-window.ts";

/** A request that belongs to a conversation. */
export interface TurnRequest {
  readonly wire: Wire;
  readonly asked: AskedTurn;
  /** As it came, and what it says. */
  readonly bytes: ArrayBuffer | string;
  readonly text: string;
  readonly body: JsonRecord;
  readonly settings: SessionOptions;
  readonly name: string | undefined;
  readonly withMemory: boolean;
}

/** What a turn is done with, for the one who asks. */
export interface TurnPorts {
  readonly throughline: Throughline;
  readonly book: SessionBook;
  readonly claim: (sessionId: string) => boolean;
  readonly release: (sessionId: string) => void;
  readonly isSeen: (sessionId: string) => Promise<boolean>;
  /** Notes how a session was opened, before anything is in it. */
  readonly opened: (sessionId: string) => Promise<void>;
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

/** Sessions keep no more than this share of a small window for the reply. */
const REPLY_SHARE = 0.25;
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
    const wanted = { messages: asked.messages, previous: asked.previous, name, form: wire.path };
    const located = await locateSession(wanted, ports);
    if (located === undefined) return undefined;
    try {
      refuseReferences(located.fresh);
      if (located.messages === 0) await ports.opened(located.sessionId);
      const turn = new ProxyTurn(request, ports, located);
      await turn.#append(located.fresh, [located.digest]);
      return turn;
    } catch (error) {
      ports.release(located.sessionId);
      throw error;
    }
  }

  get sessionId(): string {
    return this.#session.id;
  }

  /** What is to be sent: the request as it came, where it fits and nothing is to be added. */
  async prepare(signal: AbortSignal): Promise<Outgoing> {
    const { wire, bytes, text, body, withMemory } = this.#request;
    const { system, definitions } = this.#request.asked;
    const toolTokens = definitions.length === 0 ? 0 : countTokens(JSON.stringify(definitions));
    const asked = { system, toolTokens, memory: withMemory, signal, budget: this.#budget };
    const turn = await this.#session.prepare(omitUndefined(asked));
    const memories = turn.system.slice(system.length).trimStart() || undefined;
    const about = { receiptId: turn.receipt.id, lacksMemory: turn.receipt.notes.some((note) => isLack(note)) };
    const isAll = this.#located.isWhole && isUntouched(turn.receipt);
    if (isAll && memories === undefined) return { body: bytes, compacted: 0, ...about };
    const written = isAll ? undefined : writeWindow(turn, await this.#originals());
    const fields = wire.write(body, { messages: written?.messages, memories });
    const compacted = written === undefined ? 0 : this.#messages - written.intact;
    return { body: replaceFields(text, fields), compacted, ...about };
  }

  /** Takes a refusal at its word: the next window is smaller. `false` where none could be small enough. */
  async learn({ contextLimit: limit, inputTokens, outputTokens = 0 }: RecognisedOverflow): Promise<boolean> {
    const reply = this.#request.asked.maxTokens ?? outputTokens;
    // A reply that is longer than a session keeps free takes its room from what can be sent.
    const isLong = limit !== undefined && reply > limit * REPLY_SHARE;
    const contextLimit = isLong ? Math.floor((limit - reply) / (1 - REPLY_SHARE)) : limit;
    if (contextLimit !== undefined && contextLimit <= 0) return false;
    const most = Math.min(limit ?? Number.POSITIVE_INFINITY, this.#request.settings.contextLimit ?? 0);
    this.#budget = limit === undefined ? undefined : Math.max(1, Math.floor((most - reply) * SECOND_TRY));
    await this.#session.observe(omitUndefined({ contextLimit, inputTokens, wasRefused: true }));
    return true;
  }

  /** Adds what the model said, unless somebody else went on with the session meanwhile. */
  async takeIn({ messages, named, usage, id }: Answer): Promise<void> {
    const { appended } = await this.#session.status();
    if (messages.length > 0 && appended === this.#messages) {
      const { digest, page, isWhole } = this.#located;
      const ways = named?.length === messages.length ? [messages, named] : [messages];
      const chains = await Promise.all(ways.map((way) => digestChain(way, digest)));
      const digests = chains.flatMap((chain) => chain.slice(-1));
      this.#messages += messages.length;
      await this.#append(messages, digests);
      const head = { sessionId: this.sessionId, messages: this.#messages, isWhole, digests, page };
      if (id !== undefined) await this.#ports.book.putResponse(id, head);
    }
    if (usage !== undefined) await this.#session.observe(usage);
  }

  /** The request is over: another one may go on with the session. */
  leave(): void {
    // Once: by then it may be another request's.
    if (!this.#isOver) this.#ports.release(this.sessionId);
    this.#isOver = true;
  }

  async #append(messages: readonly Message[], digests: readonly string[]): Promise<void> {
    const { page, isWhole } = this.#located;
    await this.#session.append(messages);
    await this.#ports.book.put(page, { sessionId: this.sessionId, messages: this.#messages, isWhole, digests });
    if (messages.length > 0) await this.#ports.appended(this.sessionId);
  }

  /** The messages of the session by their ids: as the client sends them, where it sends all of them. */
  async #originals(): Promise<ReadonlyMap<string, Message>> {
    const { messages, previous } = this.#request.asked;
    if (this.#located.isWhole && previous === undefined && !messages.some(hasReference)) {
      return new Map(messages.map((message, index) => [`${this.sessionId}/m${index}`, message]));
    }
    return new Map((await this.#session.history()).map((message) => [message.id, message]));
  }
}

/** What only the upstream can look up cannot be told to a session. */
function refuseReferences(messages: readonly Message[]): void {
  const at = messages.findIndex(hasReference);
  if (at >= 0) throw new InvalidMessageError({ message: at }, "names an item that was not seen here");
}

function hasReference({ parts }: Message): boolean {
  return parts.some(isReference);
}

/** As a receipt says that memories could not be had. */
function isLack(note: string): boolean {
  return note.startsWith("No memories:");
}
