/** The partial text of an answer. */
interface PartialAnswer {
  readonly id: string;
  /** The last message of the conversation when it began. */
  readonly afterId: string;
  readonly text: string;
  readonly reasoning: string;
}

/** Stores answers in progress, so that a reload or a closed tab does not lose them. */
export interface PartialAnswers {
  /** Runs work while this tab writes an answer: no other tab takes it meanwhile. */
  hold<T>(sessionId: string, work: () => Promise<T>): Promise<T>;
  /** Writes at once: nothing is left to do when the tab is closed. */
  save(sessionId: string, partial: PartialAnswer): void;
  clear(sessionId: string): void;
  /** Takes the partial answer of a closed tab. */
  take(sessionId: string): Promise<PartialAnswer | undefined>;
}

interface BrowserEnvironment {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly locks: Pick<LockManager, "request"> | undefined;
}

/** Partial answers in the storage of the browser. A lock shows that a tab is still writing. */
export function storedPartials({ storage, locks }: BrowserEnvironment): PartialAnswers {
  const nameOf = (sessionId: string) => `throughline.partial.${sessionId}`;
  const clear = (sessionId: string) => storage.removeItem(nameOf(sessionId));
  const take = (sessionId: string): PartialAnswer | undefined => {
    const partial = readPartial(storage.getItem(nameOf(sessionId)));
    clear(sessionId);
    return partial;
  };
  return {
    hold: (sessionId, work) => (locks === undefined ? work() : locks.request(nameOf(sessionId), work)),
    save: (sessionId, partial) => {
      try {
        storage.setItem(nameOf(sessionId), JSON.stringify(partial));
      } catch {
        // The storage is full or blocked: the answer is saved on completion.
      }
    },
    clear,
    take: async (sessionId) => {
      if (storage.getItem(nameOf(sessionId)) === null) return undefined;
      if (locks === undefined) return take(sessionId);
      return locks.request(nameOf(sessionId), { ifAvailable: true }, (lock) =>
        lock === null ? undefined : take(sessionId),
      );
    },
  };
}

/** The answers of this device, if it has storage. */
export function devicePartials(): PartialAnswers | undefined {
  try {
    return storedPartials({ storage: localStorage, locks: navigator.locks });
  } catch {
    return undefined;
  }
}

function readPartial(stored: string | null): PartialAnswer | undefined {
  try {
    const partial = JSON.parse(stored ?? "null") as Partial<PartialAnswer> | null;
    if (typeof partial?.text !== "string" || typeof partial.afterId !== "string") return undefined;
    return { id: String(partial.id), afterId: partial.afterId, text: partial.text, reasoning: partial.reasoning ?? "" };
  } catch {
    return undefined;
  }
}
