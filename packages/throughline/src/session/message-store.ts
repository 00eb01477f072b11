import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import { convertRichToModel } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import type { SessionKey, Store } from "../ports/store.ts";
import { maskOutput } from "../prune/mask-output.ts";
import { countPartTokens, storeTokens } from "../tokens/count-message.ts";
import { busy, MAX_TRIES } from "./session-repository.ts";
import { fromStored, type SessionState } from "./session-state.ts";

const PAGE = 100;

/**
 * Stores and loads single messages, for programs that build their own windows. Shares its store with `Session`: both
 * see the same messages.
 *
 * @example
 * const messages = new MessageStore(sqliteStore("agent.db"), { userId: "ada" });
 * const window = await messages.getMessagesSinceCompaction("s1");
 */
export class MessageStore {
  readonly #store: Store;
  readonly #owner: string;

  /**
   * @param store Where the messages are stored, such as `sqliteStore(path)`.
   * @param options `userId`: owner of the sessions. Default: `local`.
   */
  constructor(store: Store, options: { readonly userId?: string } = {}) {
    this.#store = store;
    this.#owner = options.userId ?? "local";
  }

  /**
   * Appends a message to the session that its `sessionId` names.
   *
   * @param message Message with an id that is unique in the session. Messages are never changed afterwards.
   * @throws StoreError `duplicate-id` if the session has a message or a part with that id.
   *
   * @example
   * const store = new MessageStore(inProcessStore());
   * for (const message of history) await store.saveMessage(message);
   */
  async saveMessage(message: Message): Promise<void> {
    const key = this.#key(message.sessionId);
    const counted = storeTokens(message);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { appended } = await this.#store.sessions.head(key);
      if (await this.#store.messages.append(key, appended, [counted])) return;
    }
    throw busy("append to", message.sessionId);
  }

  /**
   * Returns all messages of a session in order. Tool results that were marked as compacted have `compactedAt`.
   *
   * @param sessionId Id of the session. An unknown one has no messages.
   *
   * @example
   * const messages = await new MessageStore(inProcessStore()).loadMessages("s1");
   */
  async loadMessages(sessionId: string): Promise<Message[]> {
    const key = this.#key(sessionId);
    return this.#marked(key, await this.#store.messages.list(key));
  }

  /**
   * Marks a part as compacted. Its stored content does not change; `toModelMessages` masks it.
   *
   * @param partId Id of the part.
   * @param updates `compactedAt`: time of the compaction in milliseconds since 1970.
   * @param sessionId Session of the part. Default: all sessions of the user are searched, which takes longer.
   * @throws InvalidOptionError if `updates` has any other field: messages are never changed.
   * @throws NotFoundError if no session has the part.
   *
   * @example
   * await new MessageStore(inProcessStore()).updatePart("s1/m4.0", { compactedAt: Date.now() }, "s1");
   */
  async updatePart(partId: string, updates: { readonly compactedAt: number }, sessionId?: string): Promise<void> {
    const { compactedAt, ...others } = updates;
    const strange = Object.keys(others);
    if (strange.length > 0) throw new InvalidOptionError("updates", strange[0], "compactedAt alone");
    const key = sessionId === undefined ? await this.#sessionOf(partId) : this.#key(sessionId);
    if (key === undefined || (await this.#store.messages.list(key, { parts: [partId] })).length === 0) {
      throw new NotFoundError(`Part ${partId}`);
    }
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { revision } = await this.#store.sessions.head(key);
      if (await this.#store.sessions.commit(key, { revision, marks: new Map([[partId, compactedAt]]) })) return;
    }
    throw busy("commit to", key.sessionId);
  }

  /**
   * Converts messages to the format of the AI SDK. Outputs of tool results that were marked as compacted are masked.
   *
   * @param messages Messages from `loadMessages` or `getMessagesSinceCompaction`.
   *
   * @example
   * const store = new MessageStore(inProcessStore());
   * const prompt = store.toModelMessages(await store.loadMessages("s1"));
   */
  toModelMessages(messages: readonly Message[]): ModelMessage[] {
    return convertRichToModel(messages.map((message) => ({ ...message, parts: message.parts.map(masked) })));
  }

  /**
   * Returns the summary of the last compaction and everything after it; all messages if there was no compaction.
   *
   * @param sessionId Id of the session.
   *
   * @example
   * const window = await new MessageStore(inProcessStore()).getMessagesSinceCompaction("s1");
   */
  async getMessagesSinceCompaction(sessionId: string): Promise<Message[]> {
    const key = this.#key(sessionId);
    const state = (await this.#store.sessions.state(key)) as SessionState | undefined;
    const at = state?.entries.findLastIndex((entry) => "event" in entry) ?? -1;
    const entry = state?.entries[at];
    if (state === undefined || entry === undefined || !("event" in entry)) return this.#sinceSummary(key);
    const [stored] = await this.#store.sessions.compactions(key, [entry.event]);
    const ids = state.entries.slice(at + 1).flatMap((one) => ("message" in one ? [one.message] : []));
    const [held, newer] = await Promise.all([
      this.#store.messages.get(key, ids),
      this.#store.messages.list(key, { from: state.appended }),
    ]);
    const standIns = stored === undefined ? [] : fromStored(stored, sessionId).standIns;
    return [...standIns, ...(await this.#marked(key, [...held, ...newer]))];
  }

  /** Callers that compact themselves save the summary as a message. */
  async #sinceSummary(key: SessionKey): Promise<Message[]> {
    const messages = await this.loadMessages(key.sessionId);
    return messages.slice(
      Math.max(
        0,
        messages.findLastIndex((message) => message.isSummary === true),
      ),
    );
  }

  async #marked(key: SessionKey, messages: readonly Message[]): Promise<Message[]> {
    const marks = await this.#store.messages.marks(key);
    const mark = (part: Part): Part => {
      const compactedAt = marks.get(part.id);
      return compactedAt === undefined || part.type !== "tool-result" ? part : { ...part, compactedAt };
    };
    return marks.size === 0
      ? [...messages]
      : messages.map((message) => ({ ...message, parts: message.parts.map(mark) }));
  }

  async #sessionOf(partId: string): Promise<SessionKey | undefined> {
    for (let after = ""; ; ) {
      const page = await this.#store.sessions.list(this.#owner, { after, limit: PAGE });
      for (const { sessionId } of page) {
        const key = this.#key(sessionId);
        if ((await this.#store.messages.list(key, { parts: [partId] })).length > 0) return key;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return undefined;
      after = last.sessionId;
    }
  }

  #key(sessionId: string): SessionKey {
    return { owner: this.#owner, sessionId };
  }
}

function masked(part: Part): Part {
  if (part.type !== "tool-result" || part.compactedAt === undefined || part.originalTokens !== undefined) return part;
  return maskOutput(part, countPartTokens(part), part.compactedAt);
}
