import { type Clock, createThroughline, type MemoryService, type Receipt } from "throughline";
import { createFactBook, ExtractionTrigger, type FactBook } from "throughline/chat";
import { conversationOf, newConversation } from "../chat/branches.ts";
import type { ShownMessage } from "../chat/chat-room.ts";
import type { OpenChatRoom } from "../chat/open-chat-room.ts";
import { saidMessages } from "../chat/shown-messages.ts";
import { tabDrafts } from "../chat/view/composer/drafts.ts";
import type { ModelShelf } from "../models/chat-model.ts";
import { createModelShelf } from "../models/create-model-shelf.ts";
import { classifyWith } from "./classify-with.ts";
import { lastOpen } from "./last-open.ts";
import { Notifier } from "./notifier.ts";
import { openKeep } from "./open-keep.ts";
import { OWNER, openRooms, type Rooms } from "./rooms.ts";
import type { Studio, StudioState } from "./studio.ts";
import { tabMark } from "./tab-mark.ts";

const clock: Clock = { now: () => Date.now() };

/** Opens the Studio on this device. */
export async function openStudio(): Promise<Studio> {
  const keep = await openKeep(OWNER, clock);
  const models = createModelShelf();
  // What is done by hand asks no model: the panel answers at once.
  const { memory } = await createThroughline({ store: keep.store, clock, userId: OWNER });
  const book = createFactBook({
    memory,
    clock,
    tombstone: tabMark("clearing", keep.keeping),
    unfinished: tabMark("unfinished", keep.keeping),
    classify: classifyWith(() => models.getSnapshot().current),
  });
  const rooms = await openRooms(keep, { clock, book, models });
  const studio = new OpenStudio({ rooms, memory, book, models });
  await Promise.all([book.refresh(), studio.start()]);
  return studio;
}

interface StudioParts {
  readonly rooms: Rooms;
  readonly memory: MemoryService;
  readonly book: FactBook;
  readonly models: ModelShelf;
}

class OpenStudio extends Notifier<StudioState> implements Studio {
  readonly book: FactBook;
  readonly models: ModelShelf;
  readonly #rooms: Rooms;
  readonly #memory: MemoryService;
  #room: OpenChatRoom;

  constructor({ rooms, memory, book, models }: StudioParts) {
    const room = rooms.enter(newConversation(clock.now()), { isNew: true });
    super({ keeping: rooms.keep.keeping, conversations: [], room });
    this.#rooms = rooms;
    this.#memory = memory;
    this.#room = room;
    this.book = book;
    this.models = models;
    rooms.onChange = () => {
      lastOpen.write(this.#room.conversation.id);
      void this.#list();
    };
    rooms.keep.onOtherTab(() => void this.refresh());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.refresh();
    });
  }

  /** Lists the conversations, and opens the one that was open last in this tab, also one in which nothing was sent yet. */
  async start(): Promise<void> {
    await this.#list();
    const last = lastOpen.read() ?? this.#room.conversation.id;
    await this.open(last);
    const isOpen = this.#room.conversation.id === last;
    if (!isOpen && tabDrafts.read(last) !== "") {
      this.#show(this.#rooms.enter(newConversation(clock.now(), last), { isNew: true }));
    }
    lastOpen.write(this.#room.conversation.id);
  }

  async open(conversationId: string): Promise<void> {
    const known = await this.#rooms.keep.conversations.get(OWNER, conversationId);
    if (known !== undefined && known.id !== this.#room.conversation.id) this.#show(this.#rooms.enter(known));
  }

  async newChat({ isTemporary = false }: { readonly isTemporary?: boolean } = {}): Promise<void> {
    this.#show(this.#rooms.enter(newConversation(clock.now()), { isNew: true, isTemporary }));
  }

  async startDemo(): Promise<void> {
    await this.newChat();
    const room = this.#room;
    const { playDemo } = await import("../chat/demo/play-demo.ts");
    await playDemo(room);
    await this.learn(room.conversation.id, room.getSnapshot().messages);
  }

  async rename(conversationId: string, title: string): Promise<void> {
    if (conversationId === this.#room.conversation.id) return this.#room.rename(title);
    const { conversations } = this.#rooms.keep;
    const known = await conversations.get(OWNER, conversationId);
    if (known === undefined || title.trim() === "") return;
    await conversations.put(OWNER, { ...known, title: title.trim() });
    await this.#list();
  }

  async remove(conversationId: string, { alsoMemories = false } = {}): Promise<void> {
    const { conversations } = this.#rooms.keep;
    const known = await conversations.get(OWNER, conversationId);
    if (conversationId === this.#room.conversation.id) await this.newChat();
    for (const sessionId of known?.branches ?? []) {
      await this.#rooms.throughline.purgeSession(sessionId, { keepMemories: !alsoMemories });
    }
    await conversations.remove(OWNER, conversationId);
    tabDrafts.write(conversationId, "", { isTemporary: false });
    await Promise.all([this.#list(), this.book.refresh()]);
  }

  async learn(sessionId: string, messages: readonly ShownMessage[]): Promise<void> {
    const { clearedAt = 0 } = this.book.getSnapshot();
    const since = messages.filter(({ at }) => at > clearedAt);
    const said = since.map(({ id, role, text, at }) => ({ id, role, text, at }));
    const reader = this.#rooms.mayRead(sessionId) ? this.#rooms.throughline.memory : this.#memory;
    await reader.ingest({ sessionId, messages: said });
    await this.book.refresh();
  }

  async jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean> {
    const known = await this.#rooms.keep.conversations.get(OWNER, conversationOf(source.conversationId));
    if (known === undefined) return false;
    if (known.id !== this.#room.conversation.id) this.#show(this.#rooms.enter(known));
    await this.#room.reload();
    const { messageId } = source;
    if (messageId === undefined) return true;
    const isFound = await this.#showMessage(messageId);
    if (isFound) this.set({ jump: { messageId, at: clock.now() } });
    return isFound;
  }

  receipts(limit = 20): Promise<readonly Receipt[]> {
    return this.#room.receipts(limit);
  }

  async exportMemories(format: "json" | "markdown"): Promise<string> {
    return format === "markdown"
      ? this.#memory.exportMarkdown()
      : JSON.stringify(await this.#memory.export(), undefined, 2);
  }

  async importMemories(
    text: string,
    options?: { readonly dryRun?: boolean },
  ): Promise<{ readonly added: number; readonly known: number; readonly skipped: readonly string[] }> {
    const { added, updated, unchanged, skipped } = await this.#memory.import(text, options);
    await this.book.refresh();
    return { added: added + updated, known: unchanged, skipped };
  }

  async refresh(): Promise<void> {
    const { id } = this.#room.conversation;
    const [known] = await Promise.all([
      this.#rooms.keep.conversations.get(OWNER, id),
      this.#list(),
      this.book.refresh(),
    ]);
    if (known !== undefined) await this.#room.reload(known);
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
    if ((await this.#rooms.keep.conversations.get(OWNER, conversationId)) === undefined) return;
    const extract = ({ fresh }: { readonly fresh: readonly ShownMessage[] }) => this.learn(conversationId, fresh);
    const trigger = new ExtractionTrigger({ conversationId, extract });
    trigger.note(saidMessages(messages));
    trigger.finish();
  }

  async #list(): Promise<void> {
    const { keep } = this.#rooms;
    const { keeping } = keep;
    this.set({ keeping, conversations: await keep.conversations.list(OWNER) });
  }

  #show(room: OpenChatRoom): void {
    void this.#learnRest(this.#room);
    this.#room.close();
    this.#room = room;
    lastOpen.write(room.conversation.id);
    this.set({ room });
  }
}
