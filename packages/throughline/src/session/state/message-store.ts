import { listCompactions } from "../../compact/presets/compaction-log.ts";
import {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  type OptionRules,
  TEXT,
} from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { convertRichToModel } from "../../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../../message/convert/ai-sdk-types.ts";
import type { Message } from "../../message/message.ts";
import type { Part, ToolResultPart } from "../../message/part.ts";
import { toToolOutput } from "../../message/tool-output.ts";
import { busy, commitSession, DEFAULT_USER, MAX_TRIES, type SessionKey, type Store } from "../../ports/store.ts";
import { maskOutput } from "../../prune/prune-tool-outputs.ts";
import { countPartTokens, storeTokens } from "../../tokens/count-message.ts";
import { EMPTY_STATE, fromStored, type SessionState } from "./session-state.ts";

const PAGE = 100;

/** Changes of a part. All but `compactedAt` are for tool results. */
export interface PartUpdates {
  /** Time at which the part was compacted, in milliseconds since 1970. */
  readonly compactedAt?: number;
  /** New output, in any form. */
  readonly output?: unknown;
  /** Tokens of the output before. Default: counted, if there is a new output. */
  readonly originalTokens?: number;
  /** Tokens of the part now. */
  readonly tokens?: number;
}

const UPDATE_RULES: OptionRules<PartUpdates> = {
  compactedAt: ABOVE_ZERO,
  output: CHECKED_LATER,
  originalTokens: AT_LEAST_ZERO,
  tokens: AT_LEAST_ZERO,
};

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
    checkOptions("MessageStore", options, { userId: TEXT });
    this.#store = store;
    this.#owner = options.userId ?? DEFAULT_USER;
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
   * Returns all messages of a session in order. Tool results that were marked as compacted have `compactedAt`; outputs
   * that were masked or updated are as windows have them.
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
   * Marks a part as compacted, and updates the output of a tool result. Loaded messages and windows have the new
   * output;
   * `session.history` keeps the original.
   *
   * @param partId Id of the part.
   * @param updates Time of the compaction, and for a tool result its new output and token counts.
   * @param sessionId Session of the part. Default: all sessions of the user are searched, which takes longer.
   * @throws InvalidOptionError if `updates` has any other field, or changes the content of a part that is no tool
   *   result.
   * @throws NotFoundError if no session has the part.
   *
   * @example
   * await new MessageStore(inProcessStore()).updatePart("s1/m4.0", { compactedAt: Date.now() }, "s1");
   */
  async updatePart(partId: string, updates: PartUpdates, sessionId?: string): Promise<void> {
    checkOptions("MessageStore.updatePart", updates, UPDATE_RULES);
    const key = sessionId === undefined ? await this.#sessionOf(partId) : this.#key(sessionId);
    const [message] = key === undefined ? [] : await this.#store.messages.list(key, { parts: [partId] });
    const part = message?.parts.find(({ id }) => id === partId);
    if (key === undefined || part === undefined) throw new NotFoundError(`Part ${partId}`);
    const { compactedAt, ...content } = updates;
    const marks = compactedAt === undefined ? {} : { marks: new Map([[partId, compactedAt]]) };
    const hasContent = Object.values(content).some((value) => value !== undefined);
    if (hasContent && part.type !== "tool-result") {
      throw new InvalidOptionError(
        `update of a part of type ${part.type}`,
        Object.keys(content)[0],
        "only compactedAt",
      );
    }
    await commitSession(this.#store, key, async () => {
      if (!hasContent || part.type !== "tool-result") return marks;
      const state = ((await this.#store.sessions.state(key)) as SessionState | undefined) ?? EMPTY_STATE;
      const before = (Object.hasOwn(state.masks, partId) && state.masks[partId]) || part;
      return { ...marks, state: { ...state, masks: { ...state.masks, [partId]: updated(before, part, updates) } } };
    });
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
    const [current, newer] = await Promise.all([
      this.#store.messages.get(key, ids),
      this.#store.messages.list(key, { from: state.appended }),
    ]);
    const summaryMessages = stored === undefined ? [] : fromStored(stored, sessionId).summaryMessages;
    return [...summaryMessages, ...(await this.#marked(key, [...current, ...newer]))];
  }

  /** Callers that compact lists themselves save the summary as a message, or as an event (`safeCompact`). */
  async #sinceSummary(key: SessionKey): Promise<Message[]> {
    const messages = await this.loadMessages(key.sessionId);
    const start = messages.findLastIndex((message) => message.isSummary === true);
    if (start >= 0) return messages.slice(start);
    const saved = await listCompactions(this.#store, key);
    const last = saved.at(-1);
    if (last === undefined) return messages;
    const compactedIds = new Set(saved.flatMap(({ compactedMessageIds }) => compactedMessageIds));
    const { summaryMessages } = fromStored(last, key.sessionId);
    return [...summaryMessages, ...messages.filter(({ id }) => !compactedIds.has(id))];
  }

  async #marked(key: SessionKey, messages: readonly Message[]): Promise<Message[]> {
    const [marks, state] = await Promise.all([
      this.#store.messages.marks(key),
      this.#store.sessions.state(key) as Promise<SessionState | undefined>,
    ]);
    const masks = state?.masks ?? {};
    const mark = (part: Part): Part => {
      if (part.type !== "tool-result") return part;
      const compactedAt = marks.get(part.id);
      const current = (Object.hasOwn(masks, part.id) && masks[part.id]) || part;
      return compactedAt === undefined ? current : { ...current, compactedAt };
    };
    return messages.map((message) => ({ ...message, parts: message.parts.map(mark) }));
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
    return { userId: this.#owner, sessionId };
  }
}

/** The current form of a part, `before`, with updates. */
function updated(before: ToolResultPart, original: ToolResultPart, updates: PartUpdates): ToolResultPart {
  const { tokens: _, countedBy: __, foreign: ___, ...rest } = before;
  const isNew = updates.output !== undefined;
  return omitUndefined({
    ...rest,
    originalTokens: isNew ? countPartTokens(original) : rest.originalTokens,
    ...omitUndefined({ ...updates, output: isNew ? toToolOutput(updates.output) : rest.output }),
  });
}

function masked(part: Part): Part {
  if (part.type !== "tool-result" || part.compactedAt === undefined || part.originalTokens !== undefined) return part;
  return maskOutput(part, countPartTokens(part), part.compactedAt);
}
