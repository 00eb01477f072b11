import type { Message, PreparedTurn, Receipt, Session, Throughline } from "throughline";
import { type MemoryFact, prepareChatTurn, readContextUsage } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { Notifier } from "../app/notifier.ts";
import { oncePerFrame } from "../app/once-per-frame.ts";
import { hasProblem, wordsOf } from "../app/store-problems.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { branchOff, versionOf } from "./branches.ts";
import type { ChatRoom, ChatRoomState, ShownMessage, WindowUse } from "./chat-room.ts";
import { CurrentSession } from "./current-session.ts";
import { persona } from "./persona.ts";
import { condensedNotes, shownMessages, textOf, usedMemories } from "./shown-messages.ts";
import { type Answer, streamAnswer } from "./stream-answer.ts";
import { titleFrom } from "./title-from.ts";

/** What a room needs of the app around it. */
export interface RoomSurroundings {
  readonly throughline: () => Throughline;
  readonly model: () => ChatModel | undefined;
  /** What is known of the person; nothing in a temporary chat. */
  readonly facts: () => readonly MemoryFact[];
  /** Keeps the conversation in the list, as it is now and with what was just changed; a temporary one is not. */
  readonly keep: ((conversation: Conversation, change: Partial<Conversation>) => Promise<Conversation>) | undefined;
  /** The device takes no more: from now on `throughline` gives one that keeps things in the tab. */
  readonly spill: () => void;
  /** Told when a model is about to hear what was said. */
  readonly asked: (model: ChatModel) => void;
  readonly now: () => number;
}

/** By hand, the latest third of what was said stays as it is. */
const KEPT_SHARE = 1 / 3;
/** Receipts that are read to tell which memories an answer had. */
const RECEIPTS = 200;

/** A conversation that is open in this tab. */
export class OpenChatRoom extends Notifier<ChatRoomState> implements ChatRoom {
  readonly #around: RoomSurroundings;
  #conversation: Conversation;
  readonly #current: CurrentSession;
  #answering: AbortController | undefined;
  #sending: Promise<void> = Promise.resolve();
  #history: readonly Message[] = [];

  constructor(around: RoomSurroundings, conversation: Conversation, isNew: boolean) {
    const current = new CurrentSession(around, (isCondensing) => this.set({ isCondensing }));
    super({
      status: isNew ? "ready" : "loading",
      conversationId: conversation.id,
      title: conversation.title,
      isTemporary: around.keep === undefined,
      messages: [],
      notes: [],
      version: versionOf(conversation),
      isAnswering: false,
      isCondensing: false,
      use: emptyUse(current),
    });
    this.#around = around;
    this.#current = current;
    this.#conversation = conversation;
    if (!isNew) void this.reload();
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** What was said, as it is kept: for those who read along. */
  get history(): readonly Message[] {
    return this.#history;
  }

  /** Reads everything anew, unless an answer is being written. */
  async reload(conversation: Conversation = this.#conversation): Promise<void> {
    if (this.#answering !== undefined) return;
    const { sessionId } = this.#conversation;
    // Another version that another tab shows does not come in place of what is being read here.
    this.#conversation = conversation.branches.includes(sessionId) ? { ...conversation, sessionId } : conversation;
    try {
      const session = this.#session;
      const [history, compactions, receipts] = await Promise.all([
        session.history(),
        session.compactions(),
        session.receipts(RECEIPTS),
      ]);
      this.#history = history;
      const facts = new Map(this.#around.facts().map((fact) => [fact.id, fact]));
      this.set({
        status: "ready",
        title: this.#conversation.title,
        version: versionOf(this.#conversation),
        messages: shownMessages(history, receipts, facts),
        notes: condensedNotes(compactions, history),
        ...this.#filled(receipts.at(-1)),
      });
    } catch (error) {
      this.set({ status: "failed", problem: `This conversation couldn't be loaded: ${wordsOf(error)}` });
    }
  }

  /** What is said while something else is still being done is said after it. */
  send(text: string, onKept?: () => void): Promise<void> {
    if (text.trim() === "") return Promise.resolve();
    const sent = this.#sending.then(() => this.say("user", text, onKept)).then(() => this.#answer(text));
    this.#sending = sent.catch(() => undefined);
    return sent;
  }

  /** Waits until all that was sent is kept, and answered or given up. */
  sent(): Promise<void> {
    return this.#sending;
  }

  stop(): void {
    this.#answering?.abort();
  }

  async retry(): Promise<void> {
    if (this.#answering !== undefined) return;
    const at = this.#history.findLastIndex(({ role }) => role === "user");
    const asked = this.#history[at];
    if (asked === undefined) return;
    if (at < this.#history.length - 1) await this.#branch(this.#history.slice(0, at + 1));
    await this.#answer(textOf(asked));
  }

  async editAndResend(messageId: string, text: string): Promise<void> {
    const at = this.#history.findIndex(({ id }) => id === messageId);
    if (at < 0 || text.trim() === "" || this.#answering !== undefined) return;
    await this.#branch(this.#history.slice(0, at));
    await this.send(text);
  }

  async showVersion(version: number): Promise<void> {
    const sessionId = this.#conversation.branches[version - 1];
    if (sessionId === undefined || this.#answering !== undefined) return;
    await this.#changed({ sessionId });
    await this.reload();
  }

  async rename(title: string): Promise<void> {
    if (title.trim() !== "") await this.#changed({ title: title.trim() });
  }

  async condense(): Promise<boolean> {
    const { history, message } = this.getSnapshot().use.parts;
    const event = await this.#session.compact({ keepTokens: Math.floor((history + message) * KEPT_SHARE) });
    await this.reload();
    return event !== undefined;
  }

  async undoCondensing(eventId: string): Promise<void> {
    await this.#session.restore(eventId);
    await this.reload();
  }

  /** The newest receipts, oldest first. */
  receipts(limit: number): Promise<readonly Receipt[]> {
    return this.#session.receipts(limit);
  }

  close(): void {
    this.stop();
    this.#current.close();
  }

  /** Says something as somebody, without asking for an answer. */
  async say(role: "user" | "assistant", text: string, onKept?: () => void): Promise<void> {
    const id = `m_${crypto.randomUUID()}`;
    const isFirst = this.#history.length === 0;
    const at = await this.#append({ id, role, text });
    try {
      // Before it is shown: a reload finds only what is in a conversation of the list.
      await this.#changed({ ...(isFirst && { title: titleFrom(text) }) });
      onKept?.();
    } finally {
      this.#show({ id, role, text, at, state: "done" });
    }
  }

  /** Prepares a window without asking a model: what is too much is condensed, and the meter tells. */
  async measure(message: string): Promise<PreparedTurn> {
    const session = this.#session;
    const turn = await prepareChatTurn(session, { system: persona(), facts: this.#around.facts(), message });
    this.set(this.#filled(turn.receipt));
    if (turn.wasCompacted) {
      this.set({ notes: condensedNotes(await session.compactions(), this.#history) });
    }
    return turn;
  }

  async #answer(question: string): Promise<void> {
    const answering = new AbortController();
    this.#answering = answering;
    const id = `m_${crypto.randomUUID()}`;
    const model = this.#around.model();
    this.set({ isAnswering: model !== undefined });
    try {
      const turn = await this.measure(question);
      if (model === undefined) return;
      this.#around.asked(model);
      const facts = new Map(this.#around.facts().map((fact) => [fact.id, fact]));
      const used = usedMemories(turn.receipt, facts);
      const shown: ShownMessage = {
        id,
        role: "assistant",
        text: "",
        at: this.#around.now(),
        state: "streaming",
        ...(used.length > 0 && { used }),
      };
      this.#show(shown);
      const onText = oncePerFrame((text: string) => this.#show({ ...shown, text }));
      const answer = await streamAnswer(model, turn, { signal: answering.signal, onText });
      onText.cancel();
      await this.#keepAnswer(shown, answer);
    } catch (error) {
      const problem = `Your message is saved, but we couldn't get a reply: ${wordsOf(error)}`;
      this.#show({ id, role: "assistant", text: "", at: this.#around.now(), state: "failed", problem });
    } finally {
      this.#answering = undefined;
      this.set({ isAnswering: false, isCondensing: false });
    }
  }

  async #keepAnswer(shown: ShownMessage, { text, end, problem, inputTokens }: Answer): Promise<void> {
    if (text.trim() !== "") {
      const error = end === "done" ? undefined : { name: end, message: problem ?? "", aborted: end === "stopped" };
      await this.#append({ id: shown.id, role: "assistant", text, ...(error !== undefined && { error }) });
      if (inputTokens !== undefined) await this.#session.observe({ inputTokens });
      await this.#changed({});
    }
    this.#show({ ...shown, text, state: end, ...(problem !== undefined && { problem }) });
  }

  async #append({ id, role, text, error }: Pick<Message, "id" | "role" | "error"> & { text: string }): Promise<number> {
    const { sessionId } = this.#conversation;
    const createdAt = this.#around.now();
    const parts = [{ id: `${id}.0`, type: "text", text }] as const;
    const message: Message = { id, sessionId, role, parts, createdAt, ...(error !== undefined && { error }) };
    try {
      await this.#session.append([message]);
    } catch (error) {
      if (!hasProblem(error, "full")) throw error;
      await this.#moveToTab();
      await this.#session.append([message]);
    }
    this.#history = [...this.#history, message];
    return createdAt;
  }

  /** The chat goes on where there is room, with everything that was said so far. */
  async #moveToTab(): Promise<void> {
    this.#around.spill();
    await this.#session.append(this.#history);
  }

  async #branch(kept: readonly Message[]): Promise<void> {
    const { sessionId, branches } = await branchOff(this.#around.throughline(), this.#conversation, kept);
    await this.#changed({ sessionId, branches });
    await this.reload();
  }

  async #changed(change: Partial<Conversation>): Promise<void> {
    const changed = { ...this.#conversation, ...change, updatedAt: this.#around.now() };
    this.#take(changed);
    if (this.#around.keep !== undefined) this.#take(await this.#around.keep(changed, change));
  }

  #take(conversation: Conversation): void {
    this.#conversation = conversation;
    this.set({ title: conversation.title, version: versionOf(conversation) });
  }

  get #session(): Session {
    return this.#current.open(this.#conversation.sessionId);
  }

  #filled(receipt: Receipt | undefined): Pick<ChatRoomState, "use"> {
    const { contextLimit } = this.#current;
    return { use: receipt === undefined ? emptyUse(this.#current) : readContextUsage(receipt, { contextLimit }) };
  }

  #show(message: ShownMessage): void {
    const { messages } = this.getSnapshot();
    const at = messages.findLastIndex(({ id }) => id === message.id);
    this.set({ messages: at < 0 ? [...messages, message] : messages.with(at, message) });
  }
}

/** The window before anything was said in it. */
function emptyUse({ contextLimit: limit, replyReserve: reply }: CurrentSession): WindowUse {
  const parts = { system: 0, memory: 0, summary: 0, history: 0, message: 0, reply, free: limit - reply };
  return { limit, used: 0, parts };
}
