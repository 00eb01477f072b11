import { lostAttempts } from "../errors/lost-attempts.ts";
import type { StoreError } from "../errors/store-error.ts";
import type { Commit, SessionKey, Store } from "./store.ts";

/** Owner of sessions whose user is not given. */
export const DEFAULT_USER = "local";

/** Attempts to append or commit before concurrent writers count as an error. */
export const MAX_TRIES = 200;

/**
 * Commits changes to a session, whatever its revision. If another process commits meanwhile, the changes are made again.
 *
 * @throws StoreError `busy` after {@link MAX_TRIES} lost attempts.
 */
export async function commitSession(
  { sessions }: Pick<Store, "sessions">,
  key: SessionKey,
  change: () => Promise<Omit<Commit, "revision">>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { revision } = await sessions.head(key);
    if (await sessions.commit(key, { revision, ...(await change()) })) return;
  }
  throw busy("commit to", key.sessionId);
}

/** The error after {@link MAX_TRIES} lost attempts. */
export function busy(what: string, sessionId: string): StoreError {
  return lostAttempts(`${what} session ${sessionId}`, MAX_TRIES);
}
