import {
  editedParts,
  maskPart,
  type StoredEdit,
  type WindowEdit,
  type WindowEditKind,
  withEdit,
} from "../compact/edited-parts.ts";
import { type CompactionEvent, findEvent, materialize, messageIdsOf } from "../compact/window.ts";
import { checkOptions, FLAG, oneOf, TEXTS } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { legalCutPoints } from "../message/tool-pairs.ts";
import type { MessageLog, SessionKey } from "../ports/store.ts";
import { boundParts } from "../trim/cut-large-parts.ts";
import type { EditOptions } from "./session-window.ts";
import type { SessionRepository, SessionSnapshot } from "./state/session-repository.ts";
import type { SessionState } from "./state/session-state.ts";

interface WantedEdit extends EditOptions {
  readonly kind: WindowEditKind;
  readonly handles: readonly string[];
}

const EDIT_RULES = { kind: oneOf("pin", "mask", "release"), handles: TEXTS, dryRun: FLAG };

/** Plans an edit of the window, and stores it unless it is a dry run. */
export async function editWindow(repository: SessionRepository, wanted: WantedEdit): Promise<WindowEdit> {
  const { kind, handles, dryRun = false } = wanted;
  checkOptions(`session.window.${kind}`, { kind, handles, dryRun }, EDIT_RULES);
  if (handles.length === 0) throw new InvalidOptionError("handles", "an empty list", "at least one handle");
  const snapshot = await repository.snapshot();
  const history = await repository.store.messages.list(repository.key);
  const parts = await findParts(repository, snapshot, wanted, history);
  const planned = measure(snapshot, history, {
    id: "",
    kind,
    handles,
    createdAt: snapshot.deps.clock.now(),
    tokensBefore: 0,
    tokensAfter: 0,
    uncachedTokens: 0,
    isUndone: false,
    parts,
  });
  let stored = planned;
  if (!dryRun) {
    const edit = (state: SessionState) => {
      stored = { ...planned, id: `${repository.key.sessionId}/edit-${(state.editCount ?? 0) + 1}` };
      return withEdit(state, stored);
    };
    // A compaction may be worth it now.
    repository.futile = undefined;
    await repository.commit({ edit });
  }
  const { parts: _, ...edit } = stored;
  return edit;
}

/** The parts behind the handles, with the messages that have to be in the window with them. */
async function findParts(
  repository: SessionRepository,
  { counter }: SessionSnapshot,
  { kind, handles }: WantedEdit,
  history: readonly Message[],
): Promise<StoredEdit["parts"]> {
  const { key, store } = repository;
  const events = await repository.allEvents();
  const positions = new Map(history.map(({ id }, position) => [id, position]));
  const groupOf = findGroups(history);
  const bound = kind === "mask" ? new Set([...boundParts(history)].map(({ id }) => id)) : new Set<string>();
  const isEditable = (part: Part, tokens: number) =>
    kind !== "mask" || (!bound.has(part.id) && counter.part(maskPart(part, tokens, 0)) < tokens);
  const edit = ({ id, role, parts }: Message): (readonly [string, StoredEdit["parts"][string]])[] => {
    const position = positions.get(id);
    if (position === undefined || (kind === "mask" && role === "system")) return [];
    const group = kind === "pin" ? groupOf(position) : {};
    return parts.flatMap((part) => {
      const tokens = counter.part(part);
      return isEditable(part, tokens) ? [[part.id, { tokens, group }] as const] : [];
    });
  };
  const found: Message[] = [];
  for (const handle of handles) {
    found.push(...(await recallHandle(handle, { key, messages: store.messages, events })));
  }
  const parts = Object.fromEntries(found.flatMap(edit));
  if (Object.keys(parts).length > 0) return parts;
  const wanted = kind === "mask" ? "content that is longer than the note in its place" : "messages of the history";
  throw new InvalidOptionError("handles", handles.join(", "), wanted);
}

/** Messages that a list may not be cut between: a tool call and its results. */
function findGroups(history: readonly Message[]): (position: number) => Record<string, number> {
  const groups: Record<string, number>[] = [];
  const cuts = new Set(legalCutPoints(history));
  let group: Record<string, number> = {};
  for (const [position, { id }] of history.entries()) {
    if (cuts.has(position)) group = {};
    group[id] = position;
    groups.push(group);
  }
  return (position) => groups[position] ?? {};
}

/** Sizes of the window before and after an edit. */
function measure(
  { state, sources, window, counter }: SessionSnapshot,
  history: readonly Message[],
  edit: StoredEdit,
): StoredEdit {
  const next = withEdit(state, edit);
  const pinned = new Set(editedParts(next).group);
  const messages = new Map([
    ...sources.messages,
    ...history.flatMap((one) => (pinned.has(one.id) ? [[one.id, one] as const] : [])),
  ]);
  const after = materialize(next, { ...sources, messages });
  const size = (list: readonly Message[]) => Math.ceil(counter.messages(list) * counter.factor);
  const changed = after.findIndex((message, i) => !isSame(message, window[i]));
  return {
    ...edit,
    tokensBefore: size(window),
    tokensAfter: size(after),
    uncachedTokens: changed < 0 ? 0 : size(after.slice(changed)),
  };
}

function isSame(a: Message, b: Message | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Page size of a search, in messages. */
const PAGE = 500;

/** The original messages behind a handle. */
export interface Recalled {
  /** The handle that was expanded. */
  readonly handle: string;
  /** Original messages; for `part:<id>` one message with only that part. */
  readonly messages: readonly Message[];
}

interface RecallSources {
  readonly key: SessionKey;
  readonly messages: MessageLog;
  readonly events: ReadonlyMap<string, CompactionEvent>;
}

/**
 * Returns the original messages behind a handle: `part:<id>`, `message:<id>`, `messages:<id>..<id>`, or a compaction by
 * its id or short name.
 *
 * @throws NotFoundError if the handle matches no message.
 */
export async function recallHandle(handle: string, sources: RecallSources): Promise<readonly Message[]> {
  const messages = await find(handle, sources);
  if (messages.length === 0) throw new NotFoundError(`Handle "${handle}"`);
  return messages;
}

async function find(handle: string, { key, messages, events }: RecallSources): Promise<readonly Message[]> {
  const event = findEvent(events, handle, key.sessionId);
  if (event !== undefined) return messages.get(key, messageIdsOf(event.replaced, events));
  const colon = handle.indexOf(":");
  const kind = handle.slice(0, Math.max(0, colon));
  const id = handle.slice(colon + 1);
  const summaryMessages = [...events.values()].flatMap((one) => one.summaryMessages);
  if (kind === "message") {
    const found = await messages.get(key, [id]);
    return found.length > 0 ? found : summaryMessages.filter((message) => message.id === id);
  }
  if (kind === "part") {
    const holds = (message: Message) => message.parts.some((part) => part.id === id);
    const [holder = summaryMessages.find(holds)] = await messages.list(key, { parts: [id] });
    return holder === undefined ? [] : [{ ...holder, parts: holder.parts.filter((part) => part.id === id) }];
  }
  return kind === "messages" ? between(id, key, messages) : [];
}

/** Reads from one id to the other, both included. Ids may contain `..`, so each `..` is tried as the separator. */
async function between(range: string, key: SessionKey, messages: MessageLog): Promise<readonly Message[]> {
  for (let at = range.indexOf(".."); at >= 0; at = range.indexOf("..", at + 1)) {
    const [first, last] = [range.slice(0, at), range.slice(at + 2)];
    const ends = await messages.get(key, [first, last]);
    if (ends.length === new Set([first, last]).size) return read(key, messages, first, last);
  }
  return [];
}

async function read(key: SessionKey, messages: MessageLog, first: string, last: string): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let from = 0; ; from += PAGE) {
    const page = await messages.list(key, { from, limit: PAGE });
    for (const message of page) {
      if (found.length > 0 || message.id === first) found.push(message);
      if (found.length > 0 && message.id === last) return found;
    }
    if (page.length < PAGE) return found;
  }
}
