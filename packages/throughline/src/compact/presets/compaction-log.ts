import { checkOptions, TEXT } from "../../errors/check-options.ts";
import { commitSession, DEFAULT_USER, type SessionKey, type Store, type StoredCompaction } from "../../ports/store.ts";
import { summaryMessage } from "../compose-summary.ts";
import type { CompactionDetail } from "../window.ts";
import type { CompactionResult } from "./compact-messages.ts";

/** Numbers and summary of a compaction of a list. */
type ListEvent = CompactionResult["compactionEvent"];

/** Options of the functions that store compactions of lists. */
export interface CompactionLogOptions {
  /** Owner of the session. Default: `"local"`. */
  readonly userId?: string | undefined;
}

/**
 * Returns the last compaction of a session; `undefined` if there was none.
 *
 * @param store Store that holds the session.
 * @param sessionId Id of the session.
 * @param options Owner of the session.
 *
 * @example
 * const store = inProcessStore();
 * const round = ((await getLastCompactionEvent(store, "session-1"))?.round ?? 0) + 1;
 */
export async function getLastCompactionEvent(
  store: Store,
  sessionId: string,
  options: CompactionLogOptions = {},
): Promise<ListEvent | undefined> {
  const last = (await store.sessions.compactions(keyOf("getLastCompactionEvent", sessionId, options))).at(-1);
  if (last === undefined) return undefined;
  const { round, tokensBefore, tokensAfter, summary, compactedMessageIds } = last;
  return { round, tokensBefore, tokensAfter, summaryContent: summary, compactedMessageIds };
}

/**
 * Stores a compaction of a list that the caller keeps. The session counts it, and
 * `MessageStore.getMessagesSinceCompaction` starts with its summary.
 *
 * @param store Store that holds the session.
 * @param sessionId Id of the session.
 * @param event Event of `compact`. An event of round 0, for which nothing was compacted, is not stored.
 * @param options Owner of the session.
 * @throws StoreError `duplicate-id` if this round is stored already.
 *
 * @example
 * const store = inProcessStore();
 * const { compactionEvent } = await compact(messages, { sessionId: "session-1", model, store });
 * await saveCompactionEvent(store, "session-1", compactionEvent);
 */
export async function saveCompactionEvent(
  store: Store,
  sessionId: string,
  event: ListEvent,
  options: CompactionLogOptions = {},
): Promise<void> {
  const key = keyOf("saveCompactionEvent", sessionId, options);
  if (event.round === 0) return;
  const compactions = [toStored(sessionId, event)];
  await commitSession(store, key, async () => ({ compactions }));
}

/**
 * Marks messages as compacted. Their content stays in the history. Ids that the session does not have are ignored.
 *
 * @param store Store that holds the session.
 * @param sessionId Id of the session.
 * @param messageIds Ids of stored messages, such as `compactedMessageIds` of an event.
 * @param options Owner of the session.
 *
 * @example
 * const store = inProcessStore();
 * await markMessagesCompacted(store, "session-1", ["m1", "m2"]);
 */
export async function markMessagesCompacted(
  store: Store,
  sessionId: string,
  messageIds: readonly string[],
  options: CompactionLogOptions = {},
): Promise<void> {
  const key = keyOf("markMessagesCompacted", sessionId, options);
  const marks = await marksFor(store, key, messageIds);
  if (marks.size > 0) await commitSession(store, key, async () => ({ marks }));
}

/** Stores a compaction and marks its messages, in one transaction. */
export async function logCompaction(
  store: Store,
  sessionId: string,
  event: ListEvent,
  options: CompactionLogOptions,
): Promise<void> {
  if (event.round === 0) return;
  const key = keyOf("safeCompact", sessionId, options);
  const change = {
    compactions: [toStored(sessionId, event)],
    marks: await marksFor(store, key, event.compactedMessageIds),
  };
  await commitSession(store, key, async () => change);
}

/** The compactions that these functions stored, oldest first; not those of `Session`. */
export async function listCompactions(store: Store, key: SessionKey): Promise<readonly StoredCompaction[]> {
  const stored = await store.sessions.compactions(key);
  return stored.filter(({ id }) => id.startsWith(idOf(key.sessionId, "")));
}

async function marksFor(
  store: Store,
  key: SessionKey,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const messages = await store.messages.get(key, messageIds);
  const at = Date.now();
  return new Map(messages.flatMap(({ parts }) => parts.map(({ id }) => [id, at])));
}

function toStored(sessionId: string, event: ListEvent): StoredCompaction {
  const { round, tokensBefore, tokensAfter, summaryContent: summary, compactedMessageIds } = event;
  const id = idOf(sessionId, round);
  const createdAt = Date.now();
  const messagesCompacted = compactedMessageIds.length;
  const made = { id, sessionId, createdAt, summary, messagesCompacted, originalTokens: tokensBefore };
  const replaced = compactedMessageIds.map((message) => ({ message }));
  const detail: CompactionDetail = {
    summaryMessages: [summaryMessage(made)],
    replaced,
    keptAfter: 0,
    masksBefore: {},
    newest: [],
  };
  return { id, round, createdAt, tokensBefore, tokensAfter, summary, compactedMessageIds, detail };
}

/** Not the ids of `Session`, which counts rounds of its own. */
function idOf(sessionId: string, round: number | ""): string {
  return `${sessionId}/list-compaction-${round}`;
}

function keyOf(place: string, sessionId: string, options: CompactionLogOptions): SessionKey {
  checkOptions(place, options, { userId: TEXT });
  return { userId: options.userId ?? DEFAULT_USER, sessionId };
}
