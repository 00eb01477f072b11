import {
  type Clock,
  createThroughline,
  type MemoryService,
  type Store,
  type Throughline,
  type ThroughlineOptions,
} from "throughline";
import { type FactBook, findForgotten } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ShownMessage } from "../chat/chat-state.ts";
import { OpenChat } from "../chat/open-chat.ts";
import type { PartialAnswers } from "../chat/partial-answers.ts";
import { frameCopy } from "../copy/frame.ts";
import type { ModelManager } from "../models/chat-model.ts";
import { type Persistence, tabPersistence } from "./open-persistence.ts";

interface ConversationManagerDeps {
  readonly userId: string;
  readonly isDemo: boolean;
  readonly clock: Clock;
  readonly book: FactBook;
  readonly memory: Pick<MemoryService, "forget">;
  readonly models: ModelManager;
  readonly partials: PartialAnswers | undefined;
  /** The global memory switch. */
  readonly isMemoryOn: () => boolean;
  /** Each over a store of its own: the device's, one for temporary chats, and one for when the device is full. */
  readonly device: { readonly persistence: Persistence; readonly throughline: ModelThroughline };
  readonly temporary: ModelThroughline;
  readonly spare: { readonly persistence: Persistence; readonly throughline: ModelThroughline };
}

/** Opens and saves conversations. */
export class ConversationManager {
  readonly #parts: ConversationManagerDeps;
  #isSpilled = false;
  /** Models that got messages, by conversation. */
  readonly #spokenTo = new Map<string, Set<string>>();
  /** Closed chats with running work, by conversation. */
  readonly #left = new Map<string, OpenChat>();
  /** Called when a listed conversation or the storage changed. */
  onChange: () => void = () => undefined;
  /** Extracts messages that were not read yet, before memories are forgotten. */
  learn: (conversationId: string, said: readonly ShownMessage[]) => Promise<void> = async () => undefined;

  constructor(parts: ConversationManagerDeps) {
    this.#parts = parts;
  }

  get persistence(): Persistence {
    return this.#place.persistence;
  }

  /** Extracts and summarizes stored conversations. */
  get throughline(): ModelThroughline["current"] {
    return this.#place.throughline.current;
  }

  /** True if the current model may extract facts. A remote model may only after the user has sent it a message here. */
  mayRead(conversationId: string): boolean {
    const { current } = this.#parts.models.getSnapshot();
    return current?.host === undefined || this.#spokenToIn(conversationId).has(current.choiceId);
  }

  enter(conversation: Conversation, { isNew = false, isTemporary = false } = {}): OpenChat {
    const left = this.#left.get(conversation.id);
    if (left !== undefined) {
      this.#left.delete(conversation.id);
      return left;
    }
    const { clock, book, models, temporary, partials, isDemo } = this.#parts;
    return new OpenChat(
      {
        throughline: () => (isTemporary ? temporary.current : this.throughline),
        model: () => models.getSnapshot().current,
        facts: () => (isTemporary ? [] : book.getSnapshot().facts),
        forget: (about, said) => this.#forget(conversation.id, about, said, isTemporary),
        isMemoryOn: () => !isTemporary && this.#parts.isMemoryOn(),
        isDemo,
        save: isTemporary ? undefined : (changed, change) => this.#put(changed, change),
        partials: isTemporary ? undefined : partials,
        spill: () => this.#spill(),
        asked: ({ choiceId }) => void this.#spokenToIn(conversation.id).add(choiceId),
        now: () => clock.now(),
      },
      conversation,
      isNew,
    );
  }

  /** Leaves a chat. An unfinished answer continues, unless the chat is temporary. */
  async leave(chat: OpenChat): Promise<void> {
    const { conversationId, isTemporary } = chat.getSnapshot();
    if (isTemporary) return chat.close();
    this.#left.set(conversationId, chat);
    await chat.sent();
    if (this.#left.get(conversationId) !== chat) return;
    this.#left.delete(conversationId);
    chat.close();
  }

  /** Closed chats with unfinished work. */
  get left(): readonly OpenChat[] {
    return [...this.#left.values()];
  }

  /** Stops the unfinished work of a deleted conversation. */
  end(conversationId: string): void {
    this.#left.get(conversationId)?.close();
    this.#left.delete(conversationId);
  }

  get #place(): ConversationManagerDeps["device"] {
    return this.#isSpilled ? this.#parts.spare : this.#parts.device;
  }

  #spokenToIn(conversationId: string): Set<string> {
    const known = this.#spokenTo.get(conversationId) ?? new Set();
    this.#spokenTo.set(conversationId, known);
    return known;
  }

  async #forget(
    conversationId: string,
    about: string,
    said: readonly ShownMessage[],
    isTemporary: boolean,
  ): Promise<ShownMessage["forgot"]> {
    if (isTemporary) return undefined;
    const { book, memory } = this.#parts;
    // Messages that are extracted later would add the fact again.
    await this.learn(conversationId, said);
    const facts = findForgotten(book.getSnapshot().facts, about);
    // Shown at the message with an undo, so there is no toast.
    for (const { id } of facts) await memory.forget(id);
    await book.refresh();
    return facts.length === 0 ? undefined : facts;
  }

  /** Saves a conversation. Changes by other tabs are kept: a title that this tab does not change, and new versions. */
  async #put(conversation: Conversation, change: Partial<Conversation>): Promise<Conversation> {
    const { userId } = this.#parts;
    const { conversations } = this.persistence;
    const { title, branches, isMemoryOff } = { ...conversation, ...(await conversations.get(userId, conversation.id)) };
    const isOff = change.isMemoryOff ?? isMemoryOff;
    const kept = {
      ...conversation,
      title: change.title ?? title,
      branches: [...new Set([...branches, ...conversation.branches])],
      ...(isOff !== undefined && { isMemoryOff: isOff }),
    };
    await conversations.put(userId, kept);
    this.onChange();
    return kept;
  }

  #spill(): void {
    this.#isSpilled = true;
    this.onChange();
  }
}

/** Opens the stores for conversations. */
export async function openConversations(
  parts: Omit<ConversationManagerDeps, "device" | "temporary" | "spare"> & { readonly persistence: Persistence },
): Promise<ConversationManager> {
  const { clock, models, userId, persistence } = parts;
  const [sparePersistence, temporaryPersistence] = [
    tabPersistence(clock, frameCopy.storage.full),
    tabPersistence(clock, ""),
  ];
  const open = ({ store }: Persistence) => ModelThroughline.open(store, { clock, userId }, models);
  const [device, spare, temporary] = await Promise.all([
    open(persistence),
    open(sparePersistence),
    open(temporaryPersistence),
  ]);
  return new ConversationManager({
    ...parts,
    device: { persistence, throughline: device },
    spare: { persistence: sparePersistence, throughline: spare },
    temporary,
  });
}

type Settings = Pick<ThroughlineOptions, "clock" | "userId">;

/** A Throughline over one store that summarizes and reads with the model that is in use. */
class ModelThroughline {
  readonly #options: ThroughlineOptions;
  readonly #models: ModelManager;
  #choiceId: string | undefined;
  #current: Throughline;

  private constructor(current: Throughline, options: ThroughlineOptions, models: ModelManager) {
    this.#current = current;
    this.#options = options;
    this.#models = models;
  }

  /** Opens it, and follows the choice of a model from then on. */
  static async open(store: Store, settings: Settings, models: ModelManager): Promise<ModelThroughline> {
    const options = { ...settings, store };
    const opened = new ModelThroughline(await createThroughline(options), options, models);
    models.subscribe(() => void opened.#follow());
    await opened.#follow();
    return opened;
  }

  get current(): Throughline {
    return this.#current;
  }

  async #follow(): Promise<void> {
    const chosen = this.#models.getSnapshot().current;
    if (chosen?.choiceId === this.#choiceId) return;
    this.#choiceId = chosen?.choiceId;
    const model = chosen?.languageModel;
    const next = await createThroughline({ ...this.#options, ...(model !== undefined && { model }) });
    // Another choice may have come first.
    if (this.#choiceId === chosen?.choiceId) this.#current = next;
  }
}
