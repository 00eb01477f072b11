/** Sources of memories: titles of conversations, and how to open them. */
export interface MemorySources {
  /** By their ids and by those of their branches. */
  readonly titles: ReadonlyMap<string, string>;
  /** `false` where it is gone. */
  jumpTo(source: { readonly conversationId: string; readonly messageId?: string }): Promise<boolean>;
}
