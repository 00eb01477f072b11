import type { ChatFact } from "../memory/facts/fact-rules.ts";
import type { MemoryService } from "../memory/memory-service.ts";

/** Memories per page. */
const PAGE = 500;

/** Lists the chat facts of a user by creation time; `all` includes ended and archived ones. */
export async function listChatFacts(
  memory: Pick<MemoryService, "list">,
  { all = false }: { readonly all?: boolean } = {},
): Promise<readonly ChatFact[]> {
  const found: ChatFact[] = [];
  for (let after = ""; ; ) {
    const page = await memory.list({ all, kinds: ["fact"], scope: "user-private", after, limit: PAGE });
    found.push(...page.filter((one): one is ChatFact => one.category !== undefined));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.id;
  }
}
