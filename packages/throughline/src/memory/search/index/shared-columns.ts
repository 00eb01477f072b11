import type { Column, SharedSink, SharedSource } from "./columns.ts";
import type { Numbers } from "./resize-array.ts";
import type { SharedMemory } from "./scan-kernel.ts";

/** An array in shared memory, a list of names, which is copied, or a memory of WebAssembly. */
export type SharedColumn = Column | readonly string[] | SharedMemory | undefined;

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
