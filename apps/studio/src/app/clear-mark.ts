const NAME = "throughline.clearing";

/** Remembers that all memories are being cleared. Written at once, so that closing the tab changes nothing. */
export function clearMark(isKept: boolean): { read(): string | undefined; write(text: string | undefined): void } {
  let inTab: string | undefined;
  if (!isKept) {
    return {
      read: () => inTab,
      write: (text) => {
        inTab = text;
      },
    };
  }
  return {
    read: () => localStorage.getItem(NAME) ?? undefined,
    write: (text) => (text === undefined ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, text)),
  };
}
