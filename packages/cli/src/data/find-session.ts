import { spaceOf } from "throughline/internal/engine";
import type { SessionHead, SessionKey } from "throughline/store";
import { UsageError } from "../usage-error.ts";
import { type DataOptions, findData, LOCAL_USER, type StoredData, withStoredData } from "./open-data.ts";

export interface FoundSession extends StoredData {
  readonly key: SessionKey;
  readonly head: SessionHead;
  /** Number of stored utterances of the session, which may exist without messages. */
  readonly turns: number;
}

/**
 * Runs `work` with a stored session, found by its id or by a unique prefix. With `exact`, only the full id matches, and
 * sessions with nothing but utterances are found too.
 *
 * @throws UsageError if there is no such session
 */
export async function withFoundSession<T>(
  named: string,
  options: DataOptions & { readonly exact?: boolean },
  work: (session: FoundSession) => Promise<T>,
): Promise<T> {
  const result = await withStoredData(options, async (data) => {
    const found =
      (await find(named, data, options.exact)) ?? (options.exact ? undefined : await findByBeginning(named, data));
    return found && { value: await work({ ...data, ...found }) };
  });
  if (result !== undefined) return result.value;
  throw new UsageError(
    `No session has the id or prefix ${named} in ${findData(options).file}.`,
    "`throughline sessions` lists the stored sessions.",
  );
}

type Found = Pick<FoundSession, "key" | "head" | "turns">;

async function find(sessionId: string, { store }: StoredData, isRemembered = false): Promise<Found | undefined> {
  const key = { userId: LOCAL_USER, sessionId };
  const head = await store.sessions.head(key);
  const turns = isRemembered
    ? (
        await store.memories.list(spaceOf("user-private", { userId: LOCAL_USER, projectId: undefined }), "turns", {
          sessionId,
        })
      ).length
    : 0;
  return head.appended + head.revision + turns === 0 ? undefined : { key, head, turns };
}

async function findByBeginning(beginning: string, data: StoredData): Promise<Found | undefined> {
  // In id order, ids with this prefix follow directly.
  const next = await data.throughline.sessions({ after: beginning, limit: 2 });
  const ids = next.map(({ sessionId }) => sessionId).filter((id) => id.startsWith(beginning));
  if (ids.length > 1) {
    throw new UsageError(
      `The session id ${beginning} is ambiguous: ${ids.join(", ")} …`,
      "Give more characters of the id.",
    );
  }
  return ids[0] === undefined ? undefined : find(ids[0], data);
}
