import type { Clock, Receipt } from "throughline";
import { ExtractionTrigger, type FactBook, MAX_CHAT_FACTS, readMemoryRequest } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { SYSTEM_CLOCK } from "throughline/internal/util";
import type { ImportOptions } from "throughline/memory";
import { conversationOf, newConversation } from "../chat/branches.ts";
import type { ShownMessage } from "../chat/chat-state.ts";
import type { OpenChat } from "../chat/open-chat.ts";
import { devicePartials, type PartialAnswers } from "../chat/partial-answers.ts";
import { saidMessages } from "../chat/shown-messages.ts";
import { tabDrafts } from "../chat/view/composer/drafts.ts";
import { chatCopy } from "../copy/chat.ts";
import { panelCopy } from "../copy/panel.ts";
import type { ModelManager } from "../models/chat-model.ts";
import { createModelManager } from "../models/create-model-manager.ts";
import { createMemoryChoice, type MemoryChoice } from "./device-settings.ts";
import { conversationJson, conversationMarkdown, exportMemories } from "./export-data.ts";
import { lastOpenConversation } from "./last-open-conversation.ts";
import { Notifier } from "./notifier.ts";
import { openPersistence, type Persistence } from "./open-persistence.ts";
import { PendingRemovals } from "./pending-removals.ts";
import { type SearchHit, searchConversations } from "./search-conversations.ts";
import { DEMO_ID, openSpace, type Space, type SpaceParts, type UserId, userIdOf } from "./space.ts";
import { storedText } from "./stored-text.ts";
import type { ImportOutcome, Studio, StudioState } from "./studio.ts";

/** In the order of the list of conversations. */
const USER_IDS: readonly UserId[] = ["local", "demo"];

/** Opens the Studio on this device. */
export async function openStudio(): Promise<Studio> {
  const persistence = await openPersistence("local", SYSTEM_CLOCK);
  const partials = persistence.storage.where === "device" ? devicePartials() : undefined;
  return createStudio({
    persistence,
    models: createModelManager(),
    partials,
    memoryChoice: createMemoryChoice(),
  });
}

export interface StudioParts {
  readonly persistence: Persistence;
  readonly models: ModelManager;
  readonly partials?: PartialAnswers | undefined;
  readonly memoryChoice?: MemoryChoice;
  readonly clock?: Clock;
}

/** Opens the Studio with the given dependencies. */
export async function createStudio({ memoryChoice = createMemoryChoice(), ...given }: StudioParts): Promise<Studio> {
  const { persistence, models, partials, clock = SYSTEM_CLOCK } = given;
  const isMemoryOn = () => memoryChoice.getSnapshot().value;
  const parts = { persistence, models, partials, clock, isMemoryOn };
  const own = await openSpace("local", parts);
  const studio = new OpenStudio(parts, own, memoryChoice);
  await studio.start();
  return studio;
}

class OpenStudio extends Notifier<StudioState> implements Studio {
  readonly models: ModelManager;
  readonly #parts: SpaceParts;
  readonly #own: Space;
  readonly #choice: MemoryChoice;
  readonly #removals: PendingRemovals;
  #demo: Promise<Space> | undefined;
  #space: Space;
  #chat: OpenChat;

  constructor(parts: SpaceParts, own: Space, choice: MemoryChoice) {
    const chat = own.chats.enter(newConversation(parts.clock.now()), { isNew: true });
    const isMemoryOn = choice.getSnapshot().value;
    super({ storage: own.chats.persistence.storage, conversations: [], chat, isMemoryOn, removed: [] });
    this.models = parts.models;
    this.#parts = parts;
    this.#own = own;
    this.#space = own;
    this.#chat = chat;
    this.#choice = choice;
    this.#removals = new PendingRemovals({
      stored: storedText("removing", own.chats.persistence.storage),
      now: () => parts.clock.now(),
      schedule: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds);
        return () => clearTimeout(timer);
      },
      due: () => void this.#list(),
    });
    this.#watch(own);
    this.models.subscribe(() => void this.#chat.remeasure());
    parts.persistence.onOtherTab(() => void this.refresh());
    window.addEventListener("beforeunload", (event) => {
      if (this.#losesMessages) event.preventDefault();
    });
    window.addEventListener("pagehide", () => this.#saveQueues());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.refresh();
    });
  }

  get book(): FactBook {
    return this.#space.book;
  }

  /** Lists the conversations and opens the last one of this tab, also one without messages. */
  async start(): Promise<void> {
    await this.#list();
    this.#removals.wait();
    const last = lastOpenConversation.read() ?? this.#chat.conversation.id;
    await this.open(last);
    const isOpen = this.#chat.conversation.id === last;
    if (!isOpen && tabDrafts.read(last) !== "") {
      this.#show(this.#own, this.#own.chats.enter(newConversation(this.#now(), last), { isNew: true }));
    }
    lastOpenConversation.write(this.#chat.conversation.id);
  }

  async open(conversationId: string): Promise<void> {
    const known = await this.#find(conversationId);
    if (known === undefined || known.id === this.#chat.conversation.id) return;
    if (!(await this.#mayLeave())) return;
    const space = await this.#spaceOf(conversationId);
    this.#show(space, space.chats.enter(known));
  }

  async newChat({ isTemporary = false }: { readonly isTemporary?: boolean } = {}): Promise<void> {
    if (!(await this.#mayLeave())) return;
    this.#show(this.#own, this.#own.chats.enter(newConversation(this.#now()), { isNew: true, isTemporary }));
  }

  async startDemo(): Promise<void> {
    if ((await this.#find(DEMO_ID)) !== undefined) return this.open(DEMO_ID);
    const space = await this.#openDemo();
    const chat = space.chats.enter(newConversation(this.#now(), DEMO_ID), { isNew: true });
    this.#show(space, chat);
    const { playDemo } = await import("../chat/play-demo.ts");
    await playDemo(chat, () => this.learn(DEMO_ID, chat.getSnapshot().messages));
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
    await this.#chat.remeasure();
  }

  async rename(conversationId: string, title: string): Promise<void> {
    if (conversationId === this.#chat.conversation.id) return this.#chat.rename(title);
    const known = await this.#find(conversationId);
    if (known === undefined || title.trim() === "") return;
    await this.#conversations.put(userIdOf(conversationId), { ...known, title: title.trim() });
    await this.#list();
  }

  async remove(conversationId: string, { alsoMemories = false } = {}): Promise<void> {
    if (conversationId === DEMO_ID) return this.removeDemo();
    const known = await this.#find(conversationId);
    if (conversationId === this.#chat.conversation.id) await this.newChat();
    this.#own.chats.end(conversationId);
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
    const { memory, book, chats } = await this.#spaceOf(sessionId);
    const { clearedAt = 0 } = book.getSnapshot();
    const isOff = userIdOf(sessionId) === "local" && !this.#choice.getSnapshot().value;
    if (isOff || (await this.#find(conversationOf(sessionId)))?.isMemoryOff === true) return;
    // A request to forget must not teach the fact again.
    const isSaid = ({ at, text }: ShownMessage) => at > clearedAt && readMemoryRequest(text)?.kind !== "forget";
    const said = messages.filter(isSaid).map(({ id, role, text, at }) => ({ id, role, text, at }));
    const reader = chats.mayRead(sessionId) ? chats.throughline.memory : memory;
    await reader.ingest({ sessionId, messages: said });
    await book.refresh();
  }

  async jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean> {
    const known = await this.#find(conversationOf(source.conversationId));
    if (known === undefined) return false;
    await this.open(known.id);
    // The person stays in a temporary chat.
    if (this.#chat.conversation.id !== known.id) return true;
    await this.#chat.reload();
    const { messageId } = source;
    if (messageId === undefined) return true;
    const isFound = await this.#showMessage(messageId);
    if (isFound) this.set({ jump: { messageId, at: this.#now() } });
    return isFound;
  }

  receipts(limit = 20): Promise<readonly Receipt[]> {
    return this.#chat.receipts(limit);
  }

  async search(query: string): Promise<readonly SearchHit[]> {
    const { conversations } = this.getSnapshot();
    const own = conversations.filter(({ id }) => userIdOf(id) === "local");
    return searchConversations(query, own, this.#own.chats.throughline);
  }

  async exportConversation(conversationId: string, format: "json" | "markdown"): Promise<string> {
    const known = await this.#find(conversationId);
    if (known === undefined) throw new Error(chatCopy.gone);
    const { chats } = await this.#spaceOf(conversationId);
    const history = await chats.throughline.session(known.sessionId, { profile: "chat" }).history();
    return format === "markdown" ? conversationMarkdown(known, history) : conversationJson(known, history);
  }

  exportMemories(format: "json" | "markdown"): Promise<string> {
    return exportMemories(this.#space.memory, format);
  }

  async importMemories(text: string, options: ImportOptions = {}): Promise<ImportOutcome> {
    if (this.#space !== this.#own) throw new Error(panelCopy.import.inDemo);
    const { memory, book } = this.#own;
    await book.refresh();
    const before = new Set(book.getSnapshot().facts.map(({ id }) => id));
    const { added, updated, unchanged: known, skipped } = await memory.import(text, options);
    const wanted = added + updated;
    if (options.dryRun === true) {
      const overLimit = Math.min(wanted, Math.max(0, before.size + added - MAX_CHAT_FACTS));
      return { added: wanted, known, skipped, overLimit };
    }
    await book.refresh();
    const { facts } = book.getSnapshot();
    const fresh = facts.filter(({ id }) => !before.has(id)).length;
    return { added: fresh + updated, known, skipped, overLimit: Math.max(0, before.size + added - facts.length) };
  }

  async refresh(): Promise<void> {
    const [known] = await Promise.all([this.#find(this.#chat.conversation.id), this.#list(), this.book.refresh()]);
    if (known !== undefined) await this.#chat.reload(known);
  }

  get #conversations() {
    return this.#own.chats.persistence.conversations;
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  #find(conversationId: string): Promise<Conversation | undefined> {
    return this.#conversations.get(userIdOf(conversationId), conversationId);
  }

  #spaceOf(sessionId: string): Promise<Space> {
    return userIdOf(sessionId) === "demo" ? this.#openDemo() : Promise.resolve(this.#own);
  }

  #openDemo(): Promise<Space> {
    this.#demo ??= openSpace("demo", { ...this.#parts, persistence: this.#own.chats.persistence }).then((space) => {
      this.#watch(space);
      return space;
    });
    return this.#demo;
  }

  /** Updates the list and the context usage when a space changes. */
  #watch({ chats, book }: Space): void {
    chats.onChange = () => {
      lastOpenConversation.write(this.#chat.conversation.id);
      void this.#list();
    };
    chats.learn = (conversationId, said) => this.learn(conversationId, said);
    let { facts } = book.getSnapshot();
    book.subscribe(() => {
      const now = book.getSnapshot().facts;
      if (now === facts || book !== this.book) return;
      facts = now;
      void this.#chat.remeasure();
    });
  }

  /** Erases a conversation, and its memories if `alsoMemories` is set. */
  async #erase({ conversationId, alsoMemories }: { conversationId: string; alsoMemories: boolean }): Promise<void> {
    const known = await this.#find(conversationId);
    const { chats, book } = await this.#spaceOf(conversationId);
    if (conversationId === this.#chat.conversation.id) await this.newChat();
    chats.end(conversationId);
    for (const sessionId of known?.branches ?? []) {
      await chats.throughline.purgeSession(sessionId, { keepMemories: !alsoMemories });
      this.#parts.partials?.clear(sessionId);
    }
    await this.#conversations.remove(userIdOf(conversationId), conversationId);
    tabDrafts.write(conversationId, "", { isTemporary: false });
    await book.refresh();
  }

  /** Shows a version of the open conversation that has a message; the shown version comes first. */
  async #showMessage(messageId: string): Promise<boolean> {
    const { branches } = this.#chat.conversation;
    const { shown } = this.#chat.getSnapshot().version;
    for (const version of [shown, ...branches.map((_, at) => branches.length - at)]) {
      if (version !== this.#chat.getSnapshot().version.shown) await this.#chat.showVersion(version);
      if (this.#chat.history.some(({ id }) => id === messageId)) return true;
    }
    return false;
  }

  /** Extracts the messages that arrive in a chat after it was left. */
  async #learnRest(chat: OpenChat): Promise<void> {
    const { messages: seen } = chat.getSnapshot();
    await chat.sent();
    const { conversationId, messages } = chat.getSnapshot();
    if (messages === seen) return;
    // Temporary and deleted chats are not in the list.
    if ((await this.#find(conversationId)) === undefined) return;
    const extract = ({ fresh }: { readonly fresh: readonly ShownMessage[] }) => this.learn(conversationId, fresh);
    const trigger = new ExtractionTrigger({ conversationId, extract });
    trigger.note(saidMessages(messages));
    trigger.finish();
  }

  /** Saves queued messages as a draft when the tab is closed. */
  #saveQueues(): void {
    for (const { getSnapshot } of new Set([this.#chat, ...this.#own.chats.left])) {
      const { conversationId, isTemporary, queued } = getSnapshot();
      if (queued.length === 0) continue;
      const words = [...queued.map(({ text }) => text), tabDrafts.read(conversationId)].filter((text) => text !== "");
      tabDrafts.write(conversationId, words.join("\n\n"), { isTemporary });
    }
  }

  /** Reads the list, and erases removals whose undo has expired. */
  async #list(): Promise<void> {
    for (const { conversationId, alsoMemories } of this.#removals.due()) {
      this.#removals.take(conversationId);
      await this.#erase({ conversationId, alsoMemories });
    }
    const { storage } = this.#own.chats.persistence;
    const lists = await Promise.all(USER_IDS.map((userId) => this.#conversations.list(userId)));
    const removed = this.#removals.list();
    const isGone = new Set(removed.map(({ conversationId }) => conversationId));
    this.set({ storage, conversations: lists.flat().filter(({ id }) => !isGone.has(id)), removed });
  }

  /** The open chat is temporary and has messages, which are lost on leaving. */
  get #losesMessages(): boolean {
    const { isTemporary, messages } = this.#chat.getSnapshot();
    return isTemporary && messages.length > 0;
  }

  /** Asks before messages are lost. A second request to leave replaces the first one. */
  async #mayLeave(): Promise<boolean> {
    this.getSnapshot().leaving?.(false);
    if (!this.#losesMessages) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.set({ leaving: resolve });
    const isLeaving = await promise;
    if (this.getSnapshot().leaving === resolve) this.set({ leaving: undefined });
    return isLeaving;
  }

  #show(space: Space, chat: OpenChat): void {
    if (chat === this.#chat) return;
    void this.#learnRest(this.#chat);
    void this.#space.chats.leave(this.#chat);
    this.#space = space;
    this.#chat = chat;
    lastOpenConversation.write(chat.conversation.id);
    this.set({ chat });
  }
}
