import { spaceOf } from "throughline/internal";
import type { SessionHead, SessionKey } from "throughline/store";
import { UsageError } from "../usage-error.ts";
import { type DataOptions, findData, type KeptData, OWNER, withKeptData } from "./open-data.ts";

export interface KeptSession extends KeptData {
  readonly key: SessionKey;
  readonly head: SessionHead;
  /** What is remembered of what was said in it: it may be all that there is of a session. */
  readonly turns: number;
}

/**
 * Works on a session that is kept. It goes by its id, or by a beginning of it that no other session has; by its id alone
 * where `exact` is asked for, and then also where only what was said in it is remembered.
 *
 * @throws UsageError where there is no such session
 */
export async function withKeptSession<T>(
  named: string,
  options: DataOptions & { readonly exact?: boolean },
  work: (session: KeptSession) => Promise<T>,
): Promise<T> {
  const result = await withKeptData(options, async (data) => {
    const found =
      (await find(named, data, options.exact)) ?? (options.exact ? undefined : await findByBeginning(named, data));
    return found && { value: await work({ ...data, ...found }) };
  });
  if (result !== undefined) return result.value;
  throw new UsageError(
    `Session ${named} is not kept in ${findData(options).file}.`,
    "`throughline sessions` lists those that are.",
  );
}

type Found = Pick<KeptSession, "key" | "head" | "turns">;

async function find(sessionId: string, { store }: KeptData, isRemembered = false): Promise<Found | undefined> {
  const key = { owner: OWNER, sessionId };
  const head = await store.sessions.head(key);
  const turns = isRemembered
    ? (
        await store.memories.list(spaceOf("user-private", { owner: OWNER, projectId: undefined }), "turns", {
          sessionId,
        })
      ).length
    : 0;
  return head.appended + head.revision + turns === 0 ? undefined : { key, head, turns };
}

async function findByBeginning(beginning: string, data: KeptData): Promise<Found | undefined> {
  // In their order, those that begin so come right behind it.
  const next = await data.throughline.sessions({ after: beginning, limit: 2 });
  const ids = next.map(({ sessionId }) => sessionId).filter((id) => id.startsWith(beginning));
  if (ids.length > 1) {
    throw new UsageError(`Several sessions begin with ${beginning}: ${ids.join(", ")} …`, "Say more of the id.");
  }
  return ids[0] === undefined ? undefined : find(ids[0], data);
}
