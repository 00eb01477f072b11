import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { PendingFact, Turn } from "../../ports/memory.ts";
import type { Remembered } from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { planRemember, readSaying, rememberBy } from "./remember.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import { isVisible, spaceOf } from "./spaces.ts";
import { changeSpace } from "./write-changes.ts";

/** The last turn of a session. Nothing is written behind one that has facts which are not remembered yet. */
export async function lastTurn({ shelf }: MemoryContext, space: string, sessionId: string): Promise<Turn | undefined> {
  const count = await shelf.countTurns(space, sessionId);
  // Some before it may be erased: then it stands further behind.
  return count === 0 ? undefined : (await shelf.turnsOf(space, sessionId, count - 1)).at(-1);
}

/**
 * Remembers the facts that a turn carries, one after the other. Each leaves the turn in the commit that remembers it: so
 * none is lost and none is remembered twice, whoever is killed and whoever goes on with it.
 */
export async function settlePending(
  context: MemoryContext,
  search: SearchSpaces,
  carrier: Turn,
): Promise<readonly Remembered[]> {
  const memories: Remembered[] = [];
  for (const fact of carrier.pending ?? []) {
    const remembered = await settleFact({ ...context, projectId: carrier.projectId }, search, carrier, fact);
    if (remembered !== undefined && isVisible(remembered.memory, context)) memories.push(remembered);
  }
  return memories;
}

async function settleFact(
  context: MemoryContext,
  search: SearchSpaces,
  carrier: Turn,
  fact: PendingFact,
): Promise<Remembered | undefined> {
  const space = spaceOf("user-private", context);
  // It was looked for in the words of a turn, where secrets are left out.
  const since = fact.source.at === undefined ? carrier.createdAt : undefined;
  const input = omitUndefined({ ...fact, validFrom: since, keepSecrets: true });
  try {
    const saying = readSaying(context, input);
    return await rememberBy(context, space, async () => {
      const relieved = await relieve(context, space, carrier, fact);
      // Somebody else was faster.
      if (relieved === undefined) return { result: undefined };
      const plan = await planRemember(context, search, saying);
      const { marked = [] } = plan;
      const { pending } = relieved;
      const isMarked = marked.some(({ id }) => id === relieved.id);
      const others = marked.map((turn) => (turn.id === relieved.id ? omitUndefined({ ...turn, pending }) : turn));
      return { ...plan, marked: isMarked ? others : [...marked, relieved] };
    });
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    context.logger.warn(`A fact of session ${carrier.sessionId} is not remembered: ${error.message}`);
    await changeSpace(context, space, "ingest", async () => {
      const relieved = await relieve(context, space, carrier, fact);
      return { marked: relieved === undefined ? [] : [relieved], result: undefined };
    });
    return undefined;
  }
}

/** The turn as it is now, without the fact; nothing where it has it no more. */
async function relieve(
  { shelf }: MemoryContext,
  space: string,
  { id }: Turn,
  fact: PendingFact,
): Promise<Turn | undefined> {
  const [turn] = await shelf.turns(space, [id]);
  const pending = turn?.pending ?? [];
  const at = pending.findIndex((one) => sameJson(one, fact));
  if (turn === undefined || at === -1) return undefined;
  return omitUndefined({ ...turn, pending: pending.length === 1 ? undefined : pending.toSpliced(at, 1) });
}
