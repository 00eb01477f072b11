import type { Column, SharedSink, SharedSource } from "./columns.ts";
import type { Numbers } from "./resize-array.ts";
import type { SharedMemory } from "./scan-kernel.ts";

/** An array in shared memory, a list of names, which is copied, or a memory of WebAssembly. */
export type SharedColumn = Column | readonly string[] | SharedMemory | undefined;

/** A column as another thread gets it: only its length, if the thread has one at the same place in memory. */
export type SentColumn = SharedColumn | number;

/** The update for a thread that has an earlier state of these columns with the same numbering. */
export function changedColumns(
  columns: readonly SharedColumn[],
  before: readonly SharedColumn[] = [],
): readonly SentColumn[] {
  return columns.map((column, at) => {
    const known = before[at];
    if (Array.isArray(column))
      return column.length === (known as string[] | undefined)?.length ? column.length : column;
    if (!ArrayBuffer.isView(column)) return column !== undefined && column === known ? 0 : column;
    const isSame =
      ArrayBuffer.isView(known) && known.buffer === column.buffer && known.byteOffset === column.byteOffset;
    return isSame ? (column as Column).length : column;
  });
}

/** The columns that {@link changedColumns} describes, in the thread that has the earlier ones. */
export function applyChanges(
  changed: readonly SentColumn[],
  before: readonly SharedColumn[] = [],
): readonly SharedColumn[] {
  return changed.map((column, at) => {
    if (typeof column !== "number") return column;
    const known = before[at];
    if (!ArrayBuffer.isView(known)) return known;
    const Kind = known.constructor as new (buffer: ArrayBufferLike, start: number, length: number) => Column;
    return new Kind(known.buffer, known.byteOffset, column);
  });
}

/** The columns of an index as a list that can be sent to another thread: its arrays are not copied. */
export class SharedColumns implements SharedSink, SharedSource {
  readonly columns: SharedColumn[];
  #at = 0;

  constructor(columns: readonly SharedColumn[] = []) {
    this.columns = [...columns];
  }

  add(column: Column): void {
    this.columns.push(column);
  }

  addNumbers(column: Numbers): void {
    this.columns.push(column);
  }

  addTexts(texts: readonly string[]): void {
    this.columns.push([...texts]);
  }

  addMemory(memory: SharedMemory | undefined): void {
    this.columns.push(memory);
  }

  next<T extends Column>(): T {
    return this.#take() as T;
  }

  numbers(): Numbers {
    return this.#take() as Numbers;
  }

  texts(): readonly string[] {
    return this.#take() as readonly string[];
  }

  memory(): SharedMemory | undefined {
    return this.#take() as SharedMemory | undefined;
  }

  #take(): SharedColumn {
    const column = this.columns[this.#at];
    this.#at += 1;
    return column;
  }
}
