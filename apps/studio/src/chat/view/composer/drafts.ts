/** Storage of drafts: the tab's session storage, if there is one. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Unsent text by conversation. It lives as long as the tab; that of a temporary chat as long as the page. */
export class Drafts {
  readonly #storage: DraftStorage | undefined;
  readonly #unkept = new Map<string, string>();

  constructor(storage: DraftStorage | undefined) {
    this.#storage = storage;
  }

  read(conversationId: string): string {
    return this.#unkept.get(conversationId) ?? this.#stored(conversationId) ?? "";
  }

  write(conversationId: string, text: string, options: { readonly isTemporary: boolean }): void {
    if (options.isTemporary || !this.#store(conversationId, text)) this.#unkept.set(conversationId, text);
    else this.#unkept.delete(conversationId);
  }

  /** Takes a text away that was sent, unless another was typed since. */
  take(conversationId: string, sent: string): void {
    if (this.read(conversationId) !== sent) return;
    this.#unkept.delete(conversationId);
    this.#store(conversationId, "");
  }

  #stored(conversationId: string): string | undefined {
    try {
      return this.#storage?.getItem(keyOf(conversationId)) ?? undefined;
    } catch {
      return undefined; // A browser may forbid it at any time; the draft is then kept with the page.
    }
  }

  #store(conversationId: string, text: string): boolean {
    if (this.#storage === undefined) return false;
    try {
      if (text === "") this.#storage.removeItem(keyOf(conversationId));
      else this.#storage.setItem(keyOf(conversationId), text);
      return true;
    } catch {
      return false; // Full or forbidden: the draft is kept with the page.
    }
  }
}

/** The drafts of this tab. */
export const tabDrafts = new Drafts(tabStorage());

function tabStorage(): DraftStorage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined; // Reading the property throws if storage is blocked.
  }
}

function keyOf(conversationId: string): string {
  return `throughline.draft.${conversationId}`;
}
