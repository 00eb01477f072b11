import type { Message, Part, Session, Throughline } from "throughline";
import { Lru, sameJson } from "throughline/internal/util";
import { ConversationTrace, type ToolPart } from "./conversation-trace.ts";

/** Outlines per user that are kept in memory. */
const MAX_OUTLINES = 32;

/** Positions of the stored messages in their conversation. An update reads only new messages. */
class SessionOutline {
  readonly indexes = new Map<string, number>();
  /** The position after each message. */
  readonly ends: number[] = [];
  /** The parts of each message. */
  readonly parts: string[] = [];
  /** Order of tool calls and results, by part id. */
  readonly tools = new Map<string, number>();
  /** Call ids in that order. */
  readonly callIds: string[] = [];
  readonly #trace = new ConversationTrace("");
  #last: Message | undefined;

  /** Returns `false` if the session was purged and started again since the last update. */
  async update(session: Session): Promise<boolean> {
    const known = this.ends.length;
    const [last, ...added] = await session.history(Math.max(0, known - 1));
    if (known > 0 && (last === undefined || !sameJson(last, this.#last))) return false;
    const fresh = known > 0 || last === undefined ? added : [last, ...added];
    for (const message of fresh) await this.#add(message);
    return true;
  }

  get position(): number {
    return this.#trace.position;
  }

  async #add(message: Message): Promise<void> {
    await this.#trace.add([message]);
    // Removed from the trace, which would otherwise keep the whole conversation in memory.
    for (const part of this.#trace.tools.splice(0)) {
      this.tools.set(part.id, this.callIds.length);
      this.callIds.push(part.toolCallId);
    }
    this.#trace.messages.length = 0;
    this.indexes.set(message.id, this.ends.length);
    this.ends.push(this.#trace.position);
    this.parts.push(partNames(message.parts));
    this.#last = message;
  }
}

/** Ids and types of non-empty parts. */
export function partNames(parts: readonly Part[]): string {
  const isBlank = (part: Part) => part.type === "text" && part.text.trim() === "";
  return parts.flatMap((part) => (isBlank(part) ? [] : [`${part.id} ${part.type}`])).join("\n");
}

/** A range of stored messages and the client messages with the same content. */
interface AlignedBlock {
  readonly from: number;
  readonly to: number;
  readonly messages: readonly Message[];
}

/** Maps the messages of a request to the stored messages of its session. */
export class Alignment {
  readonly #outline: SessionOutline;
  readonly #present: ConversationTrace;
  /** Number of tool calls and results in the session before the request. */
  readonly #toolOffset: number;
  /** Block per stored message; empty if the request is not the end of the session. */
  readonly #blocks: readonly (AlignedBlock | undefined)[];

  constructor(outline: SessionOutline, present: ConversationTrace) {
    this.#outline = outline;
    this.#present = present;
    this.#toolOffset = outline.callIds.length - present.tools.length;
    this.#blocks = alignBlocks(outline, present);
  }

  indexOf(messageId: string): number | undefined {
    return this.#outline.indexes.get(messageId);
  }

  blockOf(index: number): AlignedBlock | undefined {
    return this.#blocks[index];
  }

  /** True if a stored message has nothing that a client must send back. */
  isEmpty(index: number): boolean {
    const { ends } = this.#outline;
    return ends[index] === (ends[index - 1] ?? 0);
  }

  /** The parts of some stored messages, as `partNames` gives them. */
  partsOf(indexes: readonly number[]): string {
    return indexes
      .map((index) => this.#outline.parts[index] ?? "")
      .filter(Boolean)
      .join("\n");
  }

  /** A stored call or result in the form that the client sends now. */
  presentTool(part: Part): ToolPart | undefined {
    const place = this.#outline.tools.get(part.id);
    if (place === undefined || this.#blocks.length === 0) return undefined;
    const present = this.#present.tools[place - this.#toolOffset];
    return present?.type === part.type ? present : undefined;
  }
}

/**
 * Splits both lists at positions where a message ends in each of them. The request is the end of the session, or all of
 * it.
 */
function alignBlocks(
  outline: SessionOutline,
  { messages, position }: ConversationTrace,
): readonly (AlignedBlock | undefined)[] {
  const { ends } = outline;
  const offset = outline.position - position;
  let from = offset === 0 ? 0 : ends.lastIndexOf(offset) + 1;
  if (offset !== 0 && from === 0) return [];
  const blocks: (AlignedBlock | undefined)[] = Array(ends.length);
  let stored = from;
  let first = 0;
  let present = 0;
  while (stored < ends.length && present < messages.length) {
    const storedEnd = ends[stored] ?? 0;
    const presentEnd = (messages[present]?.end ?? 0) + offset;
    if (storedEnd === presentEnd) {
      const block = {
        from,
        to: stored + 1,
        messages: messages.slice(first, present + 1).map(({ message }) => message),
      };
      for (let index = from; index <= stored; index += 1) blocks[index] = block;
      from = stored + 1;
      first = present + 1;
    }
    if (storedEnd <= presentEnd) stored += 1;
    if (presentEnd <= storedEnd) present += 1;
  }
  return blocks;
}

const outlines = new WeakMap<Throughline, Lru<string, SessionOutline>>();

async function outlineOf(throughline: Throughline, session: Session): Promise<SessionOutline> {
  const kept = outlines.get(throughline) ?? new Lru<string, SessionOutline>({ maxSize: MAX_OUTLINES });
  outlines.set(throughline, kept);
  let outline = kept.get(session.id) ?? new SessionOutline();
  kept.delete(session.id);
  if (!(await outline.update(session))) {
    outline = new SessionOutline();
    await outline.update(session);
  }
  kept.set(session.id, outline);
  return outline;
}

/** Aligns a request with the session that it was added to. */
export async function alignSession(
  throughline: Throughline,
  session: Session,
  present: ConversationTrace,
): Promise<Alignment> {
  return new Alignment(await outlineOf(throughline, session), present);
}

/** New messages with the call ids of the session, if the client uses different ones. */
export async function withStoredIds(
  throughline: Throughline,
  session: Session,
  fresh: readonly Message[],
  present: ConversationTrace,
): Promise<readonly Message[]> {
  if (!fresh.some(({ role }) => role === "tool")) return fresh;
  const { callIds } = await outlineOf(throughline, session);
  const added = (await ConversationTrace.of("", fresh)).tools.length;
  const offset = callIds.length - (present.tools.length - added);
  const stored = new Map<string, string>();
  present.tools.slice(0, present.tools.length - added).forEach(({ type, toolCallId }, place) => {
    if (type === "tool-call") stored.set(toolCallId, callIds[place + offset] ?? toolCallId);
  });
  const known = new Set(callIds);
  const rename = (part: Part): Part => {
    if (part.type !== "tool-result" || known.has(part.toolCallId)) return part;
    return { ...part, toolCallId: stored.get(part.toolCallId) ?? part.toolCallId };
  };
  return fresh.map((message) => ({ ...message, parts: message.parts.map(rename) }));
}
