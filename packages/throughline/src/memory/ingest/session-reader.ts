import { findSecrets } from "../../internal/find-secrets.ts";
import { messageOf } from "../../internal/text.ts";
import { isConclusion } from "../../ledger/statements.ts";
import type { Message } from "../../message/message.ts";
import type { Logger } from "../../ports/logger.ts";
import type { MessageLog, SessionKey } from "../../ports/store.ts";
import { shouldExtract } from "../extract/extract-turn.ts";
import type { Ingested, IngestInput, IngestMessage } from "../memory-api.ts";

/** Page size for messages. */
const PAGE = 200;
/**
 * Characters read from the head and from the tail of a message that is longer than both. The session keeps the whole
 * text.
 */
const HEAD = 750_000;
const TAIL = 250_000;
/** Characters on both sides of a cut that are searched for a secret. No recognized secret is longer. */
const MAX_SECRET_LENGTH = 25_000;

interface Read {
  /** Number of messages since the last read. */
  since: number;
  /** The position up to which the session was read. */
  upTo: number;
  /** The reads in progress, chained. Never rejects. */
  reading: Promise<void>;
}

interface ReaderPorts {
  readonly messages: MessageLog;
  readonly logger: Logger;
  ingest(input: IngestInput): Promise<Ingested>;
}

/**
 * Ingests sessions in the background: after every five messages, and at the end, new messages become evidence and their
 * facts are saved. Callers do not wait for it. An interrupted session is continued at the first message that was not
 * read.
 */
export class SessionReader {
  readonly #ports: ReaderPorts;
  readonly #sessions = new Map<string, Read>();

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
  }

  /** Counts appended messages, and starts a read if enough are new. */
  note(key: SessionKey, count: number): void {
    const read = this.#read(key);
    read.since += count;
    if (shouldExtract({ messagesSince: read.since })) this.#start(key, read);
  }

  /** Reads the remaining messages of all sessions, and waits for it. */
  async end(userId: string): Promise<void> {
    for (const [sessionId, read] of this.#sessions) {
      if (shouldExtract({ messagesSince: read.since, ended: true })) this.#start({ userId, sessionId }, read);
    }
    await Promise.all([...this.#sessions.values()].map(({ reading }) => reading));
  }

  /** Stops reading a deleted session. */
  async drop(sessionId: string): Promise<void> {
    const read = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await read?.reading;
  }

  #read({ sessionId }: SessionKey): Read {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const read = { since: 0, upTo: 0, reading: Promise.resolve() };
    this.#sessions.set(sessionId, read);
    return read;
  }

  /** Chains reads, so that no message is read twice. */
  #start(key: SessionKey, read: Read): void {
    read.since = 0;
    read.reading = read.reading
      .then(() => this.#ingestNew(key, read))
      .catch((error: unknown) => {
        const why = messageOf(error);
        this.#ports.logger.warn(`Could not extract memories from session ${key.sessionId}: ${why}`);
      });
  }

  async #ingestNew(key: SessionKey, read: Read): Promise<void> {
    for await (const position of readSession(this.#ports, key, read.upTo)) read.upTo = position;
  }
}

/** Dependencies of `readSession`. */
export type ReadPorts = Pick<ReaderPorts, "messages" | "ingest">;

/** Ingests the messages of a session from a position on. Yields the position reached after every page. */
export async function* readSession(ports: ReadPorts, key: SessionKey, from: number): AsyncGenerator<number> {
  for (let position = from; ; ) {
    const page = await ports.messages.list(key, { from: position, limit: PAGE });
    const messages = page.flatMap(toIngest);
    if (messages.length > 0) await ports.ingest({ sessionId: key.sessionId, messages });
    position += page.length;
    yield position;
    if (page.length < PAGE) return;
  }
}

/** The speech of a message, in the form of `ingest`. */
function toIngest(message: Message): readonly IngestMessage[] {
  const { id, role, createdAt } = message;
  const text = readSpeech(message);
  return text === "" ? [] : [{ id, role, text: headAndTail(text), at: createdAt }];
}

/**
 * The text of a user or assistant message that counts as evidence; empty if there is none. Summaries, tools, reasoning,
 * inserted text, and announcements before a tool call do not count.
 */
export function readSpeech({ role, parts, isSummary = false, isCompactionTrigger = false }: Message): string {
  if (isSummary || isCompactionTrigger || (role !== "user" && role !== "assistant")) return "";
  const lastCall = parts.findLastIndex(({ type }) => type === "tool-call");
  const texts = parts.flatMap((part, at) => {
    if (part.type !== "text" || part.synthetic === true) return [];
    const isEvidence = role === "user" || isConclusion(part.text, { beforeCall: at < lastCall });
    return isEvidence ? [part.text] : [];
  });
  return texts.join("\n\n").trim();
}

/**
 * The head and the tail of a long text. A cut never splits a secret, because half of a secret would not be recognized.
 */
function headAndTail(text: string): string {
  if (text.length <= HEAD + TAIL) return text;
  const [headEnd] = aroundSecret(text, HEAD);
  const [, tailStart] = aroundSecret(text, text.length - TAIL);
  return `${text.slice(0, headEnd)}\n…\n${text.slice(tailStart)}`.toWellFormed();
}

/** The start and the end of the secret at a position; the position itself if there is none. */
function aroundSecret(text: string, at: number): readonly [number, number] {
  const from = at - MAX_SECRET_LENGTH;
  const split = findSecrets(text.slice(from, at + MAX_SECRET_LENGTH)).find(
    ({ start, end }) => from + start < at && at < from + end,
  );
  return split === undefined ? [at, at] : [from + split.start, from + split.end];
}
