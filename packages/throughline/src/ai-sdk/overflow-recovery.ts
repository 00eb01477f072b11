import { parseOverflowError, type ReportedOverflow } from "../overflow/parse-overflow-error.ts";
import type { Session } from "../session/session.ts";

/**
 * Runs a call that prepares its window from the session. If the provider answers that the prompt is too long, the
 * session learns the limit and the call is retried once. A second refusal is thrown unchanged.
 *
 * @param session Session that prepares the window.
 * @param call Prepares the window and calls the model.
 *
 * @example
 * const result = await withOverflowRecovery(session, async () => {
 *   const turn = await session.prepare({ system: "Be brief." });
 *   return generateText({ model, system: turn.system, messages: turn.messages });
 * });
 */
export async function withOverflowRecovery<T>(session: Session, call: () => PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const overflow = parseOverflowError(error);
    if (overflow === undefined) throw error;
    await learnOverflow(session, overflow);
  }
  try {
    return await call();
  } catch (error) {
    const overflow = parseOverflowError(error);
    if (overflow !== undefined) await learnOverflow(session, overflow);
    throw error;
  }
}

/** Records the limit of a refused prompt, so that later windows are smaller. */
export function learnOverflow(session: Session, overflow: ReportedOverflow): Promise<void> {
  return session.reportUsage({ ...overflow, wasRefused: true });
}
