const NAME = "throughline.open";

/** Which conversation is open in this tab, so that a reload finds it again. Where nothing may be kept, it does not. */
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
