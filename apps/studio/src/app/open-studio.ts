import type { Clock, Receipt } from "throughline";
import { ExtractionTrigger, type FactBook, MAX_MEMORIES, readMemoryRequest } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { conversationOf, newConversation } from "../chat/branches.ts";
import type { ShownMessage } from "../chat/chat-room.ts";
import type { OpenChatRoom } from "../chat/open-chat-room.ts";
import { devicePartials, type PartialAnswers } from "../chat/partial-answers.ts";
import { saidMessages } from "../chat/shown-messages.ts";
import { tabDrafts } from "../chat/view/composer/drafts.ts";
import type { ModelShelf } from "../models/chat-model.ts";
import { createModelShelf } from "../models/create-model-shelf.ts";
import { conversationJson, conversationMarkdown } from "./export-conversation.ts";
import { exportMemories } from "./export-memories.ts";
import { lastOpen } from "./last-open.ts";
import { MemoryChoice } from "./memory-choice.ts";
import { Notifier } from "./notifier.ts";
import { type Keep, openKeep } from "./open-keep.ts";
import { PendingRemovals } from "./pending-removals.ts";
import { type SearchHit, searchConversations } from "./search-conversations.ts";
import { DEMO_ID, type Owner, openSpace, ownerOf, type Space, type SpaceParts } from "./space.ts";
import type { ImportOutcome, Studio, StudioState } from "./studio.ts";
import { tabMark } from "./tab-mark.ts";

const systemClock: Clock = { now: () => Date.now() };
/** Own first: what a conversation is called is looked for there. */
const OWNERS: readonly Owner[] = ["local", "demo"];

/** Opens the Studio on this device. */
export async function openStudio(): Promise<Studio> {
  const keep = await openKeep("local", systemClock);
  const partials = keep.keeping.where === "device" ? devicePartials() : undefined;
  return createStudio({ keep, models: createModelShelf(), partials, memoryChoice: new MemoryChoice(smallStorage()) });
}

/** Where small settings are kept; a browser may forbid it. */
function smallStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

export interface StudioParts {
  readonly keep: Keep;
  readonly models: ModelShelf;
  readonly partials?: PartialAnswers | undefined;
  readonly memoryChoice?: MemoryChoice;
  readonly clock?: Clock;
}

/** Opens the Studio over what is given. */
export async function createStudio({
  memoryChoice = new MemoryChoice(undefined),
  ...given
}: StudioParts): Promise<Studio> {
  const { keep, models, partials, clock = systemClock } = given;
  const isMemoryOn = () => memoryChoice.getSnapshot().isOn;
  const parts = { keep, models, partials, clock, isMemoryOn };
  const own = await openSpace("local", parts);
  const studio = new OpenStudio(parts, own, memoryChoice);
  await studio.start();
  return studio;
}

class OpenStudio extends Notifier<StudioState> implements Studio {
  readonly models: ModelShelf;
  readonly #parts: SpaceParts;
  readonly #own: Space;
  readonly #choice: MemoryChoice;
  readonly #removals: PendingRemovals;
  #demo: Promise<Space> | undefined;
  #space: Space;
  #room: OpenChatRoom;

  constructor(parts: SpaceParts, own: Space, choice: MemoryChoice) {
    const room = own.rooms.enter(newConversation(parts.clock.now()), { isNew: true });
    const { isOn: isMemoryOn } = choice.getSnapshot();
    super({ keeping: own.rooms.keep.keeping, conversations: [], room, isMemoryOn, removed: [] });
    this.models = parts.models;
    this.#parts = parts;
    this.#own = own;
    this.#space = own;
    this.#room = room;
    this.#choice = choice;
    this.#removals = new PendingRemovals({
      keep: tabMark("removing", own.rooms.keep.keeping),
      now: () => parts.clock.now(),
      schedule: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
      },
      due: () => void this.#list(),
    });
    this.#watch(own);
    this.models.subscribe(() => void this.#room.remeasure());
    parts.keep.onOtherTab(() => void this.refresh());
    window.addEventListener("pagehide", () => this.#keepQueues());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.refresh();
    });
  }

  get book(): FactBook {
    return this.#space.book;
  }

  /** Lists the conversations, and opens the one that was open last in this tab, also one in which nothing was sent yet. */
  async start(): Promise<void> {
    await this.#list();
    this.#removals.wait();
    const last = lastOpen.read() ?? this.#room.conversation.id;
    await this.open(last);
    const isOpen = this.#room.conversation.id === last;
    if (!isOpen && tabDrafts.read(last) !== "") {
      this.#show(this.#own, this.#own.rooms.enter(newConversation(this.#now(), last), { isNew: true }));
    }
    lastOpen.write(this.#room.conversation.id);
  }

  async open(conversationId: string): Promise<void> {
    const known = await this.#find(conversationId);
    if (known === undefined || known.id === this.#room.conversation.id) return;
    const space = await this.#spaceOf(conversationId);
    this.#show(space, space.rooms.enter(known));
  }

  async newChat({ isTemporary = false }: { readonly isTemporary?: boolean } = {}): Promise<void> {
    this.#show(this.#own, this.#own.rooms.enter(newConversation(this.#now()), { isNew: true, isTemporary }));
  }

  async startDemo(): Promise<void> {
    if ((await this.#find(DEMO_ID)) !== undefined) return this.open(DEMO_ID);
    const space = await this.#openDemo();
    const room = space.rooms.enter(newConversation(this.#now(), DEMO_ID), { isNew: true });
    this.#show(space, room);
    const { playDemo } = await import("../chat/demo/play-demo.ts");
    await playDemo(room);
    await this.learn(DEMO_ID, room.getSnapshot().messages);
  }

  async removeDemo(): Promise<void> {
    await this.#erase({ conversationId: DEMO_ID, alsoMemories: true });
    const { memory, book } = await this.#openDemo();
    const left = await memory.list({ all: true, limit: 1_000 });
    if (left.length > 0) await memory.purge(left.map(({ id }) => id));
    await Promise.all([this.#list(), book.refresh()]);
  }

  async switchMemory(isOn: boolean): Promise<void> {
    this.#choice.choose(isOn);
    this.set({ isMemoryOn: isOn });
    await this.#room.remeasure();
  }

  async rename(conversationId: string, title: string): Promise<void> {
    if (conversationId === this.#room.conversation.id) return this.#room.rename(title);
    const known = await this.#find(conversationId);
    if (known === undefined || title.trim() === "") return;
    await this.#conversations.put(ownerOf(conversationId), { ...known, title: title.trim() });
    await this.#list();
  }

  async remove(conversationId: string, { alsoMemories = false } = {}): Promise<void> {
    if (conversationId === DEMO_ID) return this.removeDemo();
    const known = await this.#find(conversationId);
    if (conversationId === this.#room.conversation.id) await this.newChat();
    this.#own.rooms.end(conversationId);
    if (known === undefined) return;
    this.#removals.add({ conversationId, title: known.title, alsoMemories });
    await this.#list();
  }

  async undoRemove(conversationId: string): Promise<void> {
    if (this.#removals.take(conversationId) === undefined) return;
    await this.#list();
    await this.open(conversationId);
  }

  async learn(sessionId: string, messages: readonly ShownMessage[]): Promise<void> {
    const { memory, book, rooms } = await this.#spaceOf(sessionId);
    const { clearedAt = 0 } = book.getSnapshot();
    const isOff = ownerOf(sessionId) === "local" && !this.#choice.getSnapshot().isOn;
    if (isOff || (await this.#find(conversationOf(sessionId)))?.isMemoryOff === true) return;
    // What is to be forgotten is not learned from the request to forget it.
    const isSaid = ({ at, text }: ShownMessage) => at > clearedAt && readMemoryRequest(text)?.kind !== "forget";
    const said = messages.filter(isSaid).map(({ id, role, text, at }) => ({ id, role, text, at }));
    const reader = rooms.mayRead(sessionId) ? rooms.throughline.memory : memory;
    await reader.ingest({ sessionId, messages: said });
    await book.refresh();
  }

  async jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean> {
    const known = await this.#find(conversationOf(source.conversationId));
    if (known === undefined) return false;
    await this.open(known.id);
    await this.#room.reload();
    const { messageId } = source;
    if (messageId === undefined) return true;
    const isFound = await this.#showMessage(messageId);
    if (isFound) this.set({ jump: { messageId, at: this.#now() } });
    return isFound;
  }

  receipts(limit = 20): Promise<readonly Receipt[]> {
    return this.#room.receipts(limit);
  }

  async search(query: string): Promise<readonly SearchHit[]> {
    const { conversations } = this.getSnapshot();
    const own = conversations.filter(({ id }) => ownerOf(id) === "local");
    return searchConversations(query, own, this.#own.rooms.throughline);
  }

  async exportConversation(conversationId: string, format: "json" | "markdown"): Promise<string> {
    const known = await this.#find(conversationId);
    if (known === undefined) throw new Error("This conversation no longer exists.");
    const { rooms } = await this.#spaceOf(conversationId);
    const history = await rooms.throughline.session(known.sessionId, { profile: "chat" }).history();
    return format === "markdown" ? conversationMarkdown(known, history) : conversationJson(known, history);
  }

  exportMemories(format: "json" | "markdown"): Promise<string> {
    return exportMemories(this.#space.memory, format);
  }

  async importMemories(text: string, options: { readonly dryRun?: boolean } = {}): Promise<ImportOutcome> {
    if (this.#space !== this.#own) throw new Error("The demo has memories of its own. Leave it to import yours.");
    const { memory, book } = this.#own;
    await book.refresh();
    const before = new Set(book.getSnapshot().facts.map(({ id }) => id));
    const { added, updated, unchanged: known, skipped } = await memory.import(text, options);
    const wanted = added + updated;
    if (options.dryRun === true) {
      const overLimit = Math.min(wanted, Math.max(0, before.size + added - MAX_MEMORIES));
      return { added: wanted, known, skipped, overLimit };
    }
    await book.refresh();
    const { facts } = book.getSnapshot();
    const fresh = facts.filter(({ id }) => !before.has(id)).length;
    return { added: fresh + updated, known, skipped, overLimit: Math.max(0, before.size + added - facts.length) };
  }

  async refresh(): Promise<void> {
    const [known] = await Promise.all([this.#find(this.#room.conversation.id), this.#list(), this.book.refresh()]);
    if (known !== undefined) await this.#room.reload(known);
  }

  get #conversations() {
    return this.#own.rooms.keep.conversations;
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  #find(conversationId: string): Promise<Conversation | undefined> {
    return this.#conversations.get(ownerOf(conversationId), conversationId);
  }

  #spaceOf(sessionId: string): Promise<Space> {
    return ownerOf(sessionId) === "demo" ? this.#openDemo() : Promise.resolve(this.#own);
  }

  #openDemo(): Promise<Space> {
    this.#demo ??= openSpace("demo", { ...this.#parts, keep: this.#own.rooms.keep }).then((space) => {
      this.#watch(space);
      return space;
    });
    return this.#demo;
  }

  /** The list and the meter follow what changes in a space. */
  #watch({ rooms, book }: Space): void {
    rooms.onChange = () => {
      lastOpen.write(this.#room.conversation.id);
      void this.#list();
    };
    rooms.learn = (conversationId, said) => this.learn(conversationId, said);
    let { facts } = book.getSnapshot();
    book.subscribe(() => {
      const now = book.getSnapshot().facts;
      if (now === facts || book !== this.book) return;
      facts = now;
      void this.#room.remeasure();
    });
  }

  /** Erases a conversation for good, and what was learned in it where that is wanted. */
  async #erase({ conversationId, alsoMemories }: { conversationId: string; alsoMemories: boolean }): Promise<void> {
    const known = await this.#find(conversationId);
    const { rooms, book } = await this.#spaceOf(conversationId);
    if (conversationId === this.#room.conversation.id) await this.newChat();
    rooms.end(conversationId);
    for (const sessionId of known?.branches ?? []) {
      await rooms.throughline.purgeSession(sessionId, { keepMemories: !alsoMemories });
      this.#parts.partials?.clear(sessionId);
    }
    await this.#conversations.remove(ownerOf(conversationId), conversationId);
    tabDrafts.write(conversationId, "", { isTemporary: false });
    await book.refresh();
  }

  /** Shows the version of the open conversation in which a message stands, the shown one before others. */
  async #showMessage(messageId: string): Promise<boolean> {
    const { branches } = this.#room.conversation;
    const { shown } = this.#room.getSnapshot().version;
    for (const version of [shown, ...branches.map((_, at) => branches.length - at)]) {
      if (version !== this.#room.getSnapshot().version.shown) await this.#room.showVersion(version);
      if (this.#room.history.some(({ id }) => id === messageId)) return true;
    }
    return false;
  }

  /** Reads what is kept of a room only after it was left: nobody reads along there any more. */
  async #learnRest(room: OpenChatRoom): Promise<void> {
    const { messages: seen } = room.getSnapshot();
    await room.sent();
    const { conversationId, messages } = room.getSnapshot();
    if (messages === seen) return;
    // A temporary one is not in the list, and one that was erased meanwhile is not any more.
    if ((await this.#find(conversationId)) === undefined) return;
    const extract = ({ fresh }: { readonly fresh: readonly ShownMessage[] }) => this.learn(conversationId, fresh);
    const trigger = new ExtractionTrigger({ conversationId, extract });
    trigger.note(saidMessages(messages));
    trigger.finish();
  }

  /** What waits in a queue when the tab is closed comes back into the field. */
  #keepQueues(): void {
    for (const { getSnapshot } of new Set([this.#room, ...this.#own.rooms.left])) {
      const { conversationId, isTemporary, queued } = getSnapshot();
      if (queued.length === 0) continue;
      const words = [...queued.map(({ text }) => text), tabDrafts.read(conversationId)].filter((text) => text !== "");
      tabDrafts.write(conversationId, words.join("\n\n"), { isTemporary });
    }
  }

  /** Reads the list, and erases what nobody wants back any more. */
  async #list(): Promise<void> {
    for (const { conversationId, alsoMemories } of this.#removals.due()) {
      this.#removals.take(conversationId);
      await this.#erase({ conversationId, alsoMemories });
    }
    const { keeping } = this.#own.rooms.keep;
    const lists = await Promise.all(OWNERS.map((owner) => this.#conversations.list(owner)));
    const removed = this.#removals.list();
    const isGone = new Set(removed.map(({ conversationId }) => conversationId));
    this.set({ keeping, conversations: lists.flat().filter(({ id }) => !isGone.has(id)), removed });
  }

  #show(space: Space, room: OpenChatRoom): void {
    if (room === this.#room) return;
    void this.#learnRest(this.#room);
    void this.#space.rooms.leave(this.#room);
    this.#space = space;
    this.#room = room;
    lastOpen.write(room.conversation.id);
    this.set({ room });
  }
}
