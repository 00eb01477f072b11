import type { Clock, MemoryService } from "throughline";
import { type FactBook, findForgotten } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import type { ShownMessage } from "../chat/chat-room.ts";
import { OpenChatRoom } from "../chat/open-chat-room.ts";
import type { PartialAnswers } from "../chat/partial-answers.ts";
import type { ModelShelf } from "../models/chat-model.ts";
import { FULL, type Keep, tabKeep } from "./open-keep.ts";
import { ModelThroughline } from "./throughlines.ts";

interface RoomsParts {
  /** Whose conversations they are. */
  readonly owner: string;
  readonly isDemo: boolean;
  readonly clock: Clock;
  readonly book: FactBook;
  readonly memory: Pick<MemoryService, "forget">;
  readonly models: ModelShelf;
  readonly partials: PartialAnswers | undefined;
  /** Whether memories are used and learned at all. */
  readonly isMemoryOn: () => boolean;
  /** Each over a store of its own: the device's, one for temporary chats, and one for when the device is full. */
  readonly device: { readonly keep: Keep; readonly throughline: ModelThroughline };
  readonly temporary: ModelThroughline;
  readonly spare: { readonly keep: Keep; readonly throughline: ModelThroughline };
}

/** Opens conversations where they are kept. */
export class Rooms {
  readonly #parts: RoomsParts;
  #isSpilled = false;
  /** Which models the person has spoken to, by conversation. */
  readonly #spokenTo = new Map<string, Set<string>>();
  /** Rooms that were left while something was still going on in them, by conversation. */
  readonly #left = new Map<string, OpenChatRoom>();
  /** Called when a conversation changed in the list, or the place where things are kept. */
  onChange: () => void = () => undefined;
  /** Reads what was said and is not read yet, before memories are forgotten. */
  learn: (conversationId: string, said: readonly ShownMessage[]) => Promise<void> = async () => undefined;

  constructor(parts: RoomsParts) {
    this.#parts = parts;
  }

  get keep(): Keep {
    return this.#place.keep;
  }

  /** What conversations that are kept are read and summarized with. */
  get throughline(): ModelThroughline["current"] {
    return this.#place.throughline.current;
  }

  /** Whether the model in use may read along: one behind an address only where the person has spoken to it. */
  mayRead(conversationId: string): boolean {
    const { current } = this.#parts.models.getSnapshot();
    return current?.host === undefined || this.#spokenToIn(conversationId).has(current.choiceId);
  }

  enter(conversation: Conversation, { isNew = false, isTemporary = false } = {}): OpenChatRoom {
    const left = this.#left.get(conversation.id);
    if (left !== undefined) {
      this.#left.delete(conversation.id);
      return left;
    }
    const { clock, book, models, temporary, partials, isDemo } = this.#parts;
    return new OpenChatRoom(
      {
        throughline: () => (isTemporary ? temporary.current : this.throughline),
        model: () => models.getSnapshot().current,
        facts: () => (isTemporary ? [] : book.getSnapshot().facts),
        forget: (about, said) => this.#forget(conversation.id, about, said, isTemporary),
        isMemoryOn: () => !isTemporary && this.#parts.isMemoryOn(),
        isDemo,
        keep: isTemporary ? undefined : (changed, change) => this.#put(changed, change),
        partials: isTemporary ? undefined : partials,
        spill: () => this.#spill(),
        asked: ({ choiceId }) => void this.#spokenToIn(conversation.id).add(choiceId),
        now: () => clock.now(),
      },
      conversation,
      isNew,
    );
  }

  /** Leaves a room. What is being answered in it goes on, and is there when somebody comes back; a temporary chat ends. */
  async leave(room: OpenChatRoom): Promise<void> {
    const { conversationId, isTemporary } = room.getSnapshot();
    if (isTemporary) return room.close();
    this.#left.set(conversationId, room);
    await room.sent();
    if (this.#left.get(conversationId) !== room) return;
    this.#left.delete(conversationId);
    room.close();
  }

  /** Rooms in which something still goes on, though nobody is there. */
  get left(): readonly OpenChatRoom[] {
    return [...this.#left.values()];
  }

  /** Ends what still goes on in a conversation that nobody wants any more. */
  end(conversationId: string): void {
    this.#left.get(conversationId)?.close();
    this.#left.delete(conversationId);
  }

  get #place(): RoomsParts["device"] {
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
    // What was said before and is read only later would be learned again.
    await this.learn(conversationId, said);
    const facts = findForgotten(book.getSnapshot().facts, about);
    // Said at the message, with the way back: there is no toast for it.
    for (const { id } of facts) await memory.forget(id);
    await book.refresh();
    return facts.length === 0 ? undefined : facts;
  }

  /** What another tab wrote meanwhile stays: a title that this one does not change, and the versions it began. */
  async #put(conversation: Conversation, change: Partial<Conversation>): Promise<Conversation> {
    const { owner } = this.#parts;
    const { conversations } = this.keep;
    const { title, branches, isMemoryOff } = { ...conversation, ...(await conversations.get(owner, conversation.id)) };
    const isOff = change.isMemoryOff ?? isMemoryOff;
    const kept = {
      ...conversation,
      title: change.title ?? title,
      branches: [...new Set([...branches, ...conversation.branches])],
      ...(isOff !== undefined && { isMemoryOff: isOff }),
    };
    await conversations.put(owner, kept);
    this.onChange();
    return kept;
  }

  #spill(): void {
    this.#isSpilled = true;
    this.onChange();
  }
}

/** Opens all the places where conversations may be kept. */
export async function openRooms(keep: Keep, parts: Omit<RoomsParts, "device" | "temporary" | "spare">): Promise<Rooms> {
  const { clock, models, owner: userId } = parts;
  const [spareKeep, temporaryKeep] = [tabKeep(clock, FULL), tabKeep(clock, "")];
  const open = ({ store }: Keep) => ModelThroughline.open(store, { clock, userId }, models);
  const [device, spare, temporary] = await Promise.all([open(keep), open(spareKeep), open(temporaryKeep)]);
  return new Rooms({
    ...parts,
    device: { keep, throughline: device },
    spare: { keep: spareKeep, throughline: spare },
    temporary,
  });
}
