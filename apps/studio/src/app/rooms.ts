import type { Clock } from "throughline";
import type { FactBook } from "throughline/chat";
import type { Conversation } from "throughline/dexie";
import { OpenChatRoom } from "../chat/open-chat-room.ts";
import type { ModelShelf } from "../models/chat-model.ts";
import { FULL, type Keep, tabKeep } from "./open-keep.ts";
import { ModelThroughline } from "./throughlines.ts";

export const OWNER = "local";

interface RoomsParts {
  readonly clock: Clock;
  readonly book: FactBook;
  readonly models: ModelShelf;
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
  /** Called when a conversation changed in the list, or the place where things are kept. */
  onChange: () => void = () => undefined;

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
    const { clock, book, models, temporary } = this.#parts;
    return new OpenChatRoom(
      {
        throughline: () => (isTemporary ? temporary.current : this.throughline),
        model: () => models.getSnapshot().current,
        facts: () => (isTemporary ? [] : book.getSnapshot().facts),
        keep: isTemporary ? undefined : (changed, change) => this.#put(changed, change),
        spill: () => this.#spill(),
        asked: ({ choiceId }) => void this.#spokenToIn(conversation.id).add(choiceId),
        now: () => clock.now(),
      },
      conversation,
      isNew,
    );
  }

  get #place(): RoomsParts["device"] {
    return this.#isSpilled ? this.#parts.spare : this.#parts.device;
  }

  #spokenToIn(conversationId: string): Set<string> {
    const known = this.#spokenTo.get(conversationId) ?? new Set();
    this.#spokenTo.set(conversationId, known);
    return known;
  }

  /** What another tab wrote meanwhile stays: a title that this one does not change, and the versions it began. */
  async #put(conversation: Conversation, change: Partial<Conversation>): Promise<Conversation> {
    const { conversations } = this.keep;
    const { title, branches } = { ...conversation, ...(await conversations.get(OWNER, conversation.id)) };
    const kept = {
      ...conversation,
      title: change.title ?? title,
      branches: [...new Set([...branches, ...conversation.branches])],
    };
    await conversations.put(OWNER, kept);
    this.onChange();
    return kept;
  }

  #spill(): void {
    this.#isSpilled = true;
    this.onChange();
  }
}

/** Opens all the places where conversations may be kept. */
export async function openRooms(keep: Keep, parts: Pick<RoomsParts, "clock" | "book" | "models">): Promise<Rooms> {
  const { clock, models } = parts;
  const [spareKeep, temporaryKeep] = [tabKeep(clock, FULL), tabKeep(clock, "")];
  const open = ({ store }: Keep) => ModelThroughline.open(store, { clock, userId: OWNER }, models);
  const [device, spare, temporary] = await Promise.all([open(keep), open(spareKeep), open(temporaryKeep)]);
  return new Rooms({
    ...parts,
    device: { keep, throughline: device },
    spare: { keep: spareKeep, throughline: spare },
    temporary,
  });
}
