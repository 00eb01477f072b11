import { type RecognisedOverflow, recogniseOverflow } from "../overflow/recognise-overflow.ts";
import type { Session } from "../session/session.ts";

/**
 * Makes a call that prepares its window from the session. Where the provider answers that it is too long, the session
 * learns what is said of the limit, and the call is made once more; a second refusal is thrown as it came.
 *
 * @example
 * const result = await withOverflowRecovery(session, async () => {
 *   const { system, messages } = await session.prepare({ system: "Be brief." });
 *   return client.send({ system, messages });
 * });
 */
export async function withOverflowRecovery<T>(session: Session, call: () => PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const overflow = recogniseOverflow(error);
    if (overflow === undefined) throw error;
    await learnOverflow(session, overflow);
  }
  try {
    return await call();
  } catch (error) {
    const overflow = recogniseOverflow(error);
    if (overflow !== undefined) await learnOverflow(session, overflow);
    throw error;
  }
}

/** The next window is smaller; what the refusal says of the limit holds from now on. */
export function learnOverflow(session: Session, overflow: RecognisedOverflow): Promise<void> {
  return session.observe({ ...overflow, wasRefused: true });
}
