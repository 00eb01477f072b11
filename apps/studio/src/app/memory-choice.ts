import { Notifier } from "./notifier.ts";

const NAME = "throughline.memory";

/** The global memory switch. */
export class MemoryChoice extends Notifier<{ readonly isOn: boolean }> {
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | undefined;

  constructor(storage: Pick<Storage, "getItem" | "setItem"> | undefined) {
    super({ isOn: storage?.getItem(NAME) !== "off" });
    this.#storage = storage;
  }

  choose(isOn: boolean): void {
    this.set({ isOn });
    try {
      this.#storage?.setItem(NAME, isOn ? "on" : "off");
    } catch {
      // If storing fails, the choice applies until the tab is closed.
    }
  }
}
