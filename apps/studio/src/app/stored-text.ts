import type { StoredText } from "throughline/chat";
import type { StudioState } from "./studio.ts";

/**
 * Stores a short text about pending work at once, so that closing the tab changes nothing. If the memories end with the
 * tab, so does the text.
 */
export function tabMark(name: string, { where }: StudioState["storage"]): StoredText {
  const key = `throughline.${name}`;
  let inTab: string | undefined;
  if (where === "tab") {
    return {
      read: () => inTab,
      write: (text) => {
        inTab = text;
      },
    };
  }
  return {
    read: () => localStorage.getItem(key) ?? undefined,
    write: (text) => (text === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, text)),
  };
}

const NAME = "throughline.open";

/** The open conversation of this tab, restored after a reload. Without session storage, nothing is restored. */
export const lastOpen = {
  read(): string | undefined {
    try {
      return sessionStorage.getItem(NAME) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(conversationId: string): void {
    try {
      sessionStorage.setItem(NAME, conversationId);
    } catch {
      // A reload begins with a new chat.
    }
  },
};
