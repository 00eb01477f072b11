import type { MemoryKind } from "../../../ports/memory.ts";
import type { UnpackedEntry } from "../search-entry.ts";
import { type Column, type ColumnSink, type ColumnSource, grow, share } from "./columns.ts";
import { Ids, Names, UNKNOWN } from "./ids.ts";

/** Visibility filters of a query. */
export interface VisibilityFilter {
  readonly now: number;
  readonly asOf?: number;
  readonly from?: "both" | "memories" | "turns";
  readonly kinds?: readonly MemoryKind[];
  readonly projectId?: string;
  readonly seesAllProjects?: boolean;
}

const KINDS: readonly MemoryKind[] = ["fact", "episode", "pattern", "workflow"];
/** Bits of the flags: type in the lowest, then "ends in a question", then three bits of the kind, then the rest. */
const TURN = 1;
const ASKS = 2;
const TELLS = 32;
const MARKED = 64;
const FACT = KINDS.indexOf("fact") + 1;
const MAX_FLAGS = 128;

/** All fields of the documents except for their words, as one typed array per field. */
export class Documents {
  readonly sessions = new Names();
  readonly speakers = new Names();
  readonly roles = new Names();
  readonly #projects = new Names();
  readonly #ids = new Ids();
  #replacedCount = 0;
  #flags: Uint8Array = new Uint8Array(16);
  #session: Int32Array = new Int32Array(16);
  #position: Float64Array = new Float64Array(16);
  #speaker: Int32Array = new Int32Array(16);
  #role: Int32Array = new Int32Array(16);
  #project: Int32Array = new Int32Array(16);
  #at: Float64Array = new Float64Array(16);
  #validFrom: Float64Array = new Float64Array(16);
  #validTo: Float64Array = new Float64Array(16);
  #archivedAt: Float64Array = new Float64Array(16);
  #ownLength: Float32Array = new Float32Array(16);
  #alsoLength: Float32Array = new Float32Array(16);
  /** 1 if a newer version has replaced the document. */
  #replaced: Uint8Array = new Uint8Array(16);

  /** Number of documents, replaced ones included. */
  get length(): number {
    return this.#ids.length;
  }

  /** Number of documents without replaced ones. */
  get size(): number {
    return this.#ids.length - this.#replacedCount;
  }

  id(document: number): string {
    return this.#ids.get(document);
  }

  isTurn(document: number): boolean {
    return ((this.#flags[document] as number) & TURN) !== 0;
  }

  asks(document: number): boolean {
    return ((this.#flags[document] as number) & ASKS) !== 0;
  }

  tells(document: number): boolean {
    return ((this.#flags[document] as number) & TELLS) !== 0;
  }

  /** True for a memory that states a fact, in contrast to an episode, a pattern or a workflow. */
  isFact(document: number): boolean {
    return (((this.#flags[document] as number) >> 2) & 7) === FACT;
  }

  hasProject(document: number): boolean {
    return (this.#project[document] as number) >= 0;
  }

  session(document: number): number {
    return this.#session[document] as number;
  }

  /** NaN if the document has no position. */
  position(document: number): number {
    return this.#position[document] as number;
  }

  speaker(document: number): number {
    return this.#speaker[document] as number;
  }

  role(document: number): number {
    return this.#role[document] as number;
  }

  /** True if a turn is by the assistant and the turn before it is by the user. */
  isReply(document: number, before: number): boolean {
    return this.role(document) === this.roles.find("assistant") && this.role(before) === this.roles.find("user");
  }

  /** Time of the utterance in milliseconds since 1970; NaN if unknown. */
  at(document: number): number {
    return this.#at[document] as number;
  }

  ownLength(document: number): number {
    return this.#ownLength[document] as number;
  }

  /** Fields of all documents, for loops over them. */
  get ownLengths(): Float32Array {
    return this.#ownLength;
  }

  get sessionNumbers(): Int32Array {
    return this.#session;
  }

  alsoLength(document: number): number {
    return this.#alsoLength[document] as number;
  }

  isReplaced(document: number): boolean {
    return this.#replaced[document] === 1;
  }

  /** Adds a document. Returns the document with the same id that it replaces, if there is one. */
  add(id: string, entry: UnpackedEntry): number | undefined {
    const document = this.#ids.length;
    const before = this.#ids.add(id);
    if (before >= 0) {
      this.#replaced[before] = 1;
      this.#replacedCount += 1;
    }
    this.#widen(document + 1);
    const kind = entry.kind === undefined ? 0 : KINDS.indexOf(entry.kind) + 1;
    const said = (entry.type === "turn" ? TURN : 0) | (entry.asks ? ASKS : 0) | (entry.tells ? TELLS : 0);
    this.#flags[document] = said | (kind << 2) | (entry.isMarked ? MARKED : 0);
    this.#session[document] = this.sessions.add(entry.sessionId);
    this.#position[document] = entry.position ?? Number.NaN;
    this.#speaker[document] = this.speakers.add(entry.speaker);
    this.#role[document] = this.roles.add(entry.role);
    this.#project[document] = this.#projects.add(entry.projectId);
    this.#at[document] = entry.at ?? Number.NaN;
    this.#validFrom[document] = entry.validFrom ?? Number.NEGATIVE_INFINITY;
    this.#validTo[document] = entry.validTo ?? Number.POSITIVE_INFINITY;
    this.#archivedAt[document] = entry.archivedAt ?? Number.POSITIVE_INFINITY;
    this.#ownLength[document] = entry.own.length;
    this.#alsoLength[document] = entry.also.length;
    this.#replaced[document] = 0;
    return before < 0 ? undefined : before;
  }

  /** A test of whether a document is visible to the query at a time, which is `asOf` if the query has one. */
  visibility(sight: VisibilityFilter): (document: number, now: number) => boolean {
    const wanted = wantedFlags(sight);
    let project = this.#projects.find(sight.projectId);
    const { asOf, seesAllProjects = false } = sight;
    return (document, now) => {
      const then = asOf ?? now;
      const ownProject = this.#project[document] as number;
      // The first document of the project may be added later.
      if (project === UNKNOWN) project = this.#projects.find(sight.projectId);
      if (this.#replaced[document] === 1 || wanted[this.#flags[document] as number] !== 1) return false;
      if (ownProject >= 0 && ownProject !== project && !seesAllProjects) return false;
      if (!((this.#validFrom[document] as number) <= then && then < (this.#validTo[document] as number))) return false;
      const archivedAt = this.#archivedAt[document] as number;
      if (asOf === undefined ? archivedAt !== Number.POSITIVE_INFINITY : archivedAt <= asOf) return false;
      // Turns after `asOf` were not known at that time. Turns without a date stay visible.
      return !(asOf !== undefined && this.isTurn(document) && (this.#at[document] as number) > asOf);
    };
  }

  /** The next time at which a document becomes visible or invisible. */
  nextChange(document: number, now: number): number {
    const [from, to] = [this.#validFrom[document] as number, this.#validTo[document] as number];
    if (from > now) return from;
    return to > now ? to : Number.POSITIVE_INFINITY;
  }

  /** The documents that are not replaced. */
  standing(): Uint32Array {
    return this.#select((document) => this.#replaced[document] === 0);
  }

  /** Ids of documents that are marked as outdated, completely or in parts. */
  marked(): string[] {
    const isMarked = (document: number): boolean => ((this.#flags[document] as number) & MARKED) !== 0;
    const marked = this.#select((document) => this.#replaced[document] === 0 && isMarked(document));
    return Array.from(marked, (document) => this.id(document));
  }

  #select(isSelected: (document: number) => boolean): Uint32Array {
    const selected = new Uint32Array(this.length);
    let count = 0;
    for (let document = 0; document < selected.length; document += 1) {
      if (!isSelected(document)) continue;
      selected[count] = document;
      count += 1;
    }
    return selected.subarray(0, count);
  }

  /** Removes the documents that are not in `kept`, and renumbers the others in order. */
  keep(kept: Uint32Array): void {
    for (const column of this.#columns()) {
      kept.forEach((document, renumbered) => {
        column[renumbered] = column[document] as number;
      });
    }
    this.#ids.keep(kept);
    this.#replacedCount = 0;
  }

  /** Packs all documents, none of which may be replaced. */
  pack(writer: ColumnSink): void {
    this.#pack(writer, this.sessions.all());
  }

  /** Hands over all documents, replaced ones too, in arrays that threads can share. Sessions lose their names. */
  share(writer: ColumnSink): void {
    this.#ids.share();
    this.#replaceColumns(share);
    this.#pack(writer, []);
  }

  #pack(writer: ColumnSink, sessions: readonly string[]): void {
    this.#ids.pack(writer);
    writer.addTexts(sessions);
    for (const names of [this.speakers, this.roles, this.#projects]) writer.addTexts(names.all());
    for (const column of this.#columns()) writer.add(column.subarray(0, this.length));
  }

  /** Replaces the documents by the output of {@link pack} or {@link share}. */
  unpack(reader: ColumnSource): void {
    this.#ids.unpack(reader);
    this.#replacedCount = 0;
    for (const names of [this.sessions, this.speakers, this.roles, this.#projects]) {
      for (const name of reader.texts()) names.add(name);
    }
    this.#flags = reader.next(Uint8Array);
    this.#session = reader.next(Int32Array);
    this.#position = reader.next(Float64Array);
    this.#speaker = reader.next(Int32Array);
    this.#role = reader.next(Int32Array);
    this.#project = reader.next(Int32Array);
    this.#at = reader.next(Float64Array);
    this.#validFrom = reader.next(Float64Array);
    this.#validTo = reader.next(Float64Array);
    this.#archivedAt = reader.next(Float64Array);
    this.#ownLength = reader.next(Float32Array);
    this.#alsoLength = reader.next(Float32Array);
    this.#replaced = reader.next(Uint8Array);
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#columns().reduce((sum, { byteLength }) => sum + byteLength, this.#ids.bytes);
  }

  #columns(): Column[] {
    return [
      this.#flags,
      this.#session,
      this.#position,
      this.#speaker,
      this.#role,
      this.#project,
      this.#at,
      this.#validFrom,
      this.#validTo,
      this.#archivedAt,
      this.#ownLength,
      this.#alsoLength,
      this.#replaced,
    ];
  }

  #widen(length: number): void {
    if (length > this.#flags.length) this.#replaceColumns((column) => grow(column, length));
  }

  #replaceColumns(replace: <T extends Column>(column: T) => T): void {
    this.#flags = replace(this.#flags);
    this.#session = replace(this.#session);
    this.#position = replace(this.#position);
    this.#speaker = replace(this.#speaker);
    this.#role = replace(this.#role);
    this.#project = replace(this.#project);
    this.#at = replace(this.#at);
    this.#validFrom = replace(this.#validFrom);
    this.#validTo = replace(this.#validTo);
    this.#archivedAt = replace(this.#archivedAt);
    this.#ownLength = replace(this.#ownLength);
    this.#alsoLength = replace(this.#alsoLength);
    this.#replaced = replace(this.#replaced);
  }
}

/**
 * 1 for each combination of flags that the query selects. Turns have no kind, so a query for kinds selects only
 * memories.
 */
function wantedFlags({ from = "both", kinds }: VisibilityFilter): Uint8Array {
  return Uint8Array.from({ length: MAX_FLAGS }, (_, flags) => {
    const isTurn = (flags & TURN) !== 0;
    const kind = KINDS[((flags >> 2) & 7) - 1];
    if (isTurn) return from !== "memories" && kinds === undefined ? 1 : 0;
    return from !== "turns" && (kinds === undefined || (kind !== undefined && kinds.includes(kind))) ? 1 : 0;
  });
}
