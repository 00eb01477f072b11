import type { Message, PreparedTurn, Receipt, Session } from "throughline";
import { type MemoryFact, prepareChatTurn, readContextUsage, readMemoryRequest } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { messageOf } from "throughline/internal/util";
import { Notifier } from "../app/notifier.ts";
import { chatCopy } from "../copy/chat.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { AnswerInProgress } from "./answer-in-progress.ts";
import { attachmentsOf } from "./attachments.ts";
import { branchOff, titleFrom, versionOf } from "./branches.ts";
import { ChatHistory, type NewMessage } from "./chat-history.ts";
import type { Chat, ChatDeps, ChatState, QueuedMessage, SendOptions, ShownMessage, WindowUse } from "./chat-state.ts";
import { CONTINUE_PROMPT, continued } from "./continue-answer.ts";
import { CurrentSession, logTurn } from "./current-session.ts";
import type { MessageNotes } from "./message-notes.ts";
import { describeForgotten, listMemories, persona } from "./persona.ts";
import { condensedNotes, shownMessages, textOf, usedMemories, withRequestNotes } from "./shown-messages.ts";
import { type Answer, endedAs, streamAnswer } from "./stream-answer.ts";

/** Share of the conversation that stays verbatim when the person asks for a summary. */
const KEPT_SHARE = 1 / 3;
/** Messages from which on a conversation is long. */
const LONG = 500;
/** Maximum number of receipts that are read for the memories of answers. */
const RECEIPTS = 200;

/** A conversation that is open in this tab. */
export class OpenChat extends Notifier<ChatState> implements Chat {
  readonly #deps: ChatDeps;
  #conversation: Conversation;
  readonly #current: CurrentSession;
  #answering: AbortController | undefined;
  #sending: Promise<void> = Promise.resolve();
  #waiting = 0;
  #measured = 0;
  readonly #said: ChatHistory;

  constructor(deps: ChatDeps, conversation: Conversation, isNew: boolean) {
    const current = new CurrentSession(deps, ({ isCompacting }) => this.set({ isCondensing: isCompacting }));
    super({
      status: isNew ? "ready" : "loading",
      conversationId: conversation.id,
      title: conversation.title,
      isTemporary: deps.save === undefined,
      isDemo: deps.isDemo,
      isMemoryOn: deps.isMemoryOn() && conversation.isMemoryOff !== true,
      queued: [],
      messages: [],
      notes: [],
      version: versionOf(conversation),
      isAnswering: false,
      isCondensing: false,
      use: current.emptyUse,
    });
    this.#deps = deps;
    this.#current = current;
    this.#conversation = conversation;
    this.#said = new ChatHistory(deps, {
      session: () => this.#session,
      sessionId: () => this.#conversation.sessionId,
    });
    if (!isNew) void this.reload();
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** The stored messages, for extraction. */
  get history(): readonly Message[] {
    return this.#said.messages;
  }

  /** Reloads the conversation, unless an answer is in progress. */
  async reload(conversation: Conversation = this.#conversation): Promise<void> {
    if (this.#answering !== undefined) return;
    const { sessionId } = this.#conversation;
    // A version that another tab shows does not replace the one shown here.
    this.#take(conversation.branches.includes(sessionId) ? { ...conversation, sessionId } : conversation);
    try {
      const session = this.#session;
      await this.#said.load();
      // A long conversation is shown before its receipts are read, which takes a while.
      if (this.getSnapshot().status === "loading" && this.history.length > LONG) {
        this.set({ status: "ready", messages: shownMessages(this.history, [], new Map()) });
      }
      const [compactions, receipts] = await Promise.all([session.compactions(), session.receipts(RECEIPTS)]);
      this.set({
        status: "ready",
        messages: shownMessages(this.history, receipts, this.#factsById()),
        notes: condensedNotes(compactions, this.history),
      });
      await this.remeasure();
    } catch (error) {
      this.set({ status: "failed", problem: chatCopy.notLoaded(messageOf(error)) });
    }
  }

  /** Sends a message, after those that are queued before it. */
  async send(text: string, options: SendOptions = {}): Promise<void> {
    if (text.trim() === "" && (options.attachments ?? []).length === 0) return;
    const id = `m_${crypto.randomUUID()}`;
    const isQueued = this.#waiting > 0;
    if (isQueued) {
      const { attachments = [] } = options;
      this.set({ queued: [...this.getSnapshot().queued, { id, text, attachments }] });
      options.onKept?.();
    }
    await this.#inTurn(async () => {
      if (isQueued && this.unqueue(id) === undefined) return;
      await this.#say({ id, role: "user", text, ...options }, options.onKept);
      await this.#obey(id, text);
      await this.#answer(text);
    });
  }

  unqueue(id: string): QueuedMessage | undefined {
    const { queued } = this.getSnapshot();
    const found = queued.find((one) => one.id === id);
    if (found !== undefined) this.set({ queued: queued.filter((one) => one !== found) });
    return found;
  }

  /** Resolves when all sent messages are saved and answered, or have failed. */
  sent(): Promise<void> {
    return this.#sending;
  }

  stop(): void {
    this.#answering?.abort();
  }

  async retry(): Promise<void> {
    if (this.#answering !== undefined) return;
    const at = this.history.findLastIndex(({ role }) => role === "user");
    const asked = this.history[at];
    if (asked === undefined) return;
    await this.#inTurn(async () => {
      if (at < this.history.length - 1) await this.#branch(this.history.slice(0, at + 1));
      await this.#answer(textOf(asked));
    });
  }

  async continueAnswer(): Promise<void> {
    const last = this.getSnapshot().messages.at(-1);
    const asked = this.history.findLast(({ role }) => role === "user");
    if (this.#answering !== undefined || last?.role !== "assistant" || last.text === "" || asked === undefined) return;
    await this.#inTurn(() => this.#answer(textOf(asked), last));
  }

  async editAndResend(messageId: string, text: string): Promise<void> {
    const at = this.history.findIndex(({ id }) => id === messageId);
    const edited = this.history[at];
    if (edited === undefined || this.#answering !== undefined) return;
    const attachments = attachmentsOf(edited);
    if (text.trim() === "" && attachments.length === 0) return;
    await this.#branch(this.history.slice(0, at));
    await this.send(text, { attachments });
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

  async switchMemory(isOn: boolean): Promise<void> {
    await this.#changed({ isMemoryOff: !isOn });
    await this.remeasure();
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

  /** Stops work in progress. */
  close(): void {
    this.stop();
    this.#current.close();
  }

  /** Adds a message without asking for an answer. */
  say(role: "user" | "assistant", text: string, notes: MessageNotes = {}): Promise<void> {
    return this.#say({ id: `m_${crypto.randomUUID()}`, role, text, notes });
  }

  /** Prepares a turn without asking a model: compacts if needed and updates the usage. */
  async measure(message: string): Promise<PreparedTurn> {
    const session = this.#session;
    const turn = await prepareChatTurn(session, { system: persona(), facts: this.#facts(), message });
    this.#current.tracker?.note(turn);
    logTurn(turn, this.#current.contextLimit);
    this.#measured += 1;
    this.set({ use: this.#usageIn(turn.receipt) });
    if (turn.wasCompacted) {
      this.set({ notes: condensedNotes(await session.compactions(), this.history) });
    }
    return turn;
  }

  /** Updates the usage after an answer, a summary, an undo, or a change of model or memories. */
  async remeasure(): Promise<void> {
    const { isMemoryOff = false } = this.#conversation;
    this.set({ isMemoryOn: this.#deps.isMemoryOn() && !isMemoryOff });
    const asked = this.history.findLast(({ role }) => role === "user");
    const turn = ++this.#measured;
    if (asked === undefined) return this.set({ use: this.#current.emptyUse });
    const options = { system: persona(), facts: this.#facts(), message: textOf(asked), dryRun: true };
    try {
      const { receipt } = await prepareChatTurn(this.#session, options);
      if (turn === this.#measured) this.set({ use: this.#usageIn(receipt) });
    } catch {
      // A message that cannot fit is reported on sending.
    }
  }

  async #say({ attachments = [], ...said }: NewMessage, onKept?: () => void): Promise<void> {
    const isFirst = this.history.length === 0;
    const message = await this.#said.append({ ...said, attachments });
    try {
      // Before it is shown: a reload finds listed conversations only.
      await this.#changed({ ...(isFirst && { title: titleFrom(said.text || (attachments[0]?.name ?? "")) }) });
      onKept?.();
    } finally {
      const [shown] = shownMessages([message], [], new Map());
      if (shown !== undefined) this.#show(shown);
    }
  }

  /** Runs a request of a message to forget memories. */
  async #obey(id: string, text: string): Promise<void> {
    const request = readMemoryRequest(text);
    if (request?.kind !== "forget") return;
    const forgot = await this.#deps.forget(request.about, this.getSnapshot().messages);
    const shown = this.getSnapshot().messages.find((one) => one.id === id);
    if (forgot !== undefined && shown !== undefined) this.#show({ ...shown, forgot });
  }

  /** Queues work: one task runs at a time. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    const done = this.#sending.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#sending = done.catch(() => undefined);
    return done;
  }

  async #answer(question: string, before?: ShownMessage): Promise<void> {
    const answering = new AbortController();
    this.#answering = answering;
    const id = `m_${crypto.randomUUID()}`;
    const model = this.#deps.model();
    this.set({ isAnswering: model !== undefined });
    const hold = this.#deps.partials?.hold ?? ((_: string, work: () => Promise<void>) => work());
    try {
      const turn = await this.measure(question);
      const { sessionId } = this.#conversation;
      if (model === undefined) await this.#answerByRule(question);
      else await hold(sessionId, () => this.#stream({ id, model, turn, answering, before }));
    } catch (error) {
      const problem = chatCopy.noReply(messageOf(error));
      this.#show({ id, role: "assistant", text: "", at: this.#deps.now(), state: "failed", problem });
    } finally {
      this.#answering = undefined;
      this.set({ isAnswering: false, isCondensing: false });
    }
    await this.remeasure();
  }

  /** Without a model the question for memories can still be answered. */
  async #answerByRule(question: string): Promise<void> {
    if (readMemoryRequest(question)?.kind === "list") await this.say("assistant", listMemories(this.#facts()));
  }

  async #stream(asked: {
    readonly id: string;
    readonly model: ChatModel;
    readonly turn: PreparedTurn;
    readonly answering: AbortController;
    readonly before: ShownMessage | undefined;
  }): Promise<void> {
    const { id, model, turn, answering, before } = asked;
    this.#deps.asked(model);
    const [used, at] = [usedMemories(turn.receipt, this.#factsById()), this.#deps.now()];
    const streaming: ShownMessage = { id, role: "assistant", text: "", at, state: "streaming" };
    const added: ShownMessage = { ...streaming, ...(used.length > 0 && { used }) };
    const show = (shown: ShownMessage) => this.#show(before === undefined ? shown : continued(before, shown));
    show(added);
    const { sessionId } = this.#conversation;
    const afterId = this.history.at(-1)?.id ?? "";
    const progress = new AnswerInProgress({
      show: (text, reasoning) => show({ ...added, text, ...(reasoning !== "" && { reasoning }) }),
      save: (text, reasoning) => this.#deps.partials?.save(sessionId, { id, afterId, text, reasoning }),
    });
    const { forgot } = this.getSnapshot().messages.findLast(({ role }) => role === "user") ?? {};
    const system = [turn.system, describeForgotten(forgot ?? [])].filter((one) => one !== "").join("\n\n");
    const answer = await streamAnswer(
      model,
      { ...turn, system },
      {
        signal: answering.signal,
        onText: (text, reasoning) => progress.note(text, reasoning),
        instruction: before === undefined ? undefined : CONTINUE_PROMPT,
      },
    );
    progress.end();
    const notes = { receipt: turn.receipt.id, ...(before !== undefined && { continues: before.id }) };
    await this.#saveAnswer(added, answer, notes);
    this.#deps.partials?.clear(sessionId);
    await this.#showNotes(show, { ...added, ...endedAs(answer) });
  }

  /** Shows a finished answer, with the messages that its request left out. */
  async #showNotes(show: (shown: ShownMessage) => void, answer: ShownMessage): Promise<void> {
    show(answer);
    const noted = shownMessages(this.history, await this.#session.receipts(RECEIPTS), this.#factsById());
    this.set({ messages: withRequestNotes(this.getSnapshot().messages, noted) });
  }

  async #saveAnswer(shown: ShownMessage, answer: Answer, notes: MessageNotes): Promise<void> {
    const { text, reasoning, end, problem, inputTokens, imagesLeftOut } = answer;
    if (text.trim() === "") return;
    const error = end === "done" ? undefined : { name: end, message: problem ?? "", aborted: end !== "failed" };
    await this.#said.append({
      id: shown.id,
      role: "assistant",
      text,
      notes: { ...notes, reasoning, ...(imagesLeftOut !== undefined && { imagesLeftOut }) },
      ...(error !== undefined && { error }),
    });
    if (inputTokens !== undefined) await this.#session.reportUsage({ inputTokens });
    await this.#changed({});
  }

  async #branch(kept: readonly Message[]): Promise<void> {
    const { sessionId, branches } = await branchOff(this.#deps.throughline(), this.#conversation, kept);
    await this.#changed({ sessionId, branches });
    await this.reload();
  }

  async #changed(change: Partial<Conversation>): Promise<void> {
    const changed = { ...this.#conversation, ...change, updatedAt: this.#deps.now() };
    this.#take(changed);
    if (this.#deps.save !== undefined) this.#take(await this.#deps.save(changed, change));
  }

  #take(conversation: Conversation): void {
    this.#conversation = conversation;
    this.set({ title: conversation.title, version: versionOf(conversation) });
  }

  get #session(): Session {
    return this.#current.open(this.#conversation.sessionId);
  }

  #facts(): readonly MemoryFact[] {
    return this.getSnapshot().isMemoryOn ? this.#deps.facts() : [];
  }

  #factsById(): ReadonlyMap<string, MemoryFact> {
    return new Map(this.#deps.facts().map((fact) => [fact.id, fact]));
  }

  #usageIn(receipt: Receipt): WindowUse {
    return readContextUsage(receipt, { contextLimit: this.#current.contextLimit });
  }

  #show(message: ShownMessage): void {
    const { messages } = this.getSnapshot();
    const at = messages.findLastIndex(({ id }) => id === message.id);
    this.set({ messages: at < 0 ? [...messages, message] : messages.with(at, message) });
  }
}
