const NAME = "throughline.open";

/** The open conversation of this tab, restored after a reload. Without session storage, nothing is restored. */
export const lastOpenConversation = {
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
