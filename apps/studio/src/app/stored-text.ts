import type { StoredText } from "throughline/chat";
import type { StudioState } from "./studio.ts";

/**
 * Returns a short text that is stored where the conversations are: in `localStorage`, or in the page if they last only
 * as long as the tab. A write takes effect at once, so closing the tab does not lose it.
 */
export function storedText(name: string, { where }: StudioState["storage"]): StoredText {
  const key = `throughline.${name}`;
  let inPage: string | undefined;
  if (where === "tab") {
    return {
      read: () => inPage,
      write: (text) => {
        inPage = text;
      },
    };
  }
  return {
    read: () => localStorage.getItem(key) ?? undefined,
    write: (text) => (text === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, text)),
  };
}
