import type { Context } from "hono";
import { NotFoundError } from "throughline";
import { omitUndefined } from "throughline/internal/util";
import { sessionDeps } from "../api/sessions/session-routes.ts";
import { isLoopback } from "../loopback.ts";
import type { ServerEnv } from "../server-env.ts";
import type { Services } from "../services.ts";
import { findSession, type SessionDeps, seenSessions } from "../session-access.ts";
import { historyUnits, OWN_AGENT, type SessionUnit, storedUnit } from "./session-unit.ts";

/** Sessions read per query. */
const PAGE = 200;

/** All sessions that the caller may inspect: those of the store, and the histories on this machine. */
export async function findUnits(c: Context<ServerEnv>, services: Services): Promise<readonly SessionUnit[]> {
  const [recorded, stored] = await Promise.all([recordedUnits(c, services), storedUnits(sessionDeps(c, services))]);
  return [...recorded, ...stored];
}

/**
 * The unit of a session.
 *
 * @throws NotFoundError if the caller may see no such session
 */
export async function findUnit(c: Context<ServerEnv>, services: Services, id: string): Promise<SessionUnit> {
  if (id.startsWith(`${OWN_AGENT}:`)) return findStored(sessionDeps(c, services), id.slice(OWN_AGENT.length + 1));
  const found = (await recordedUnits(c, services)).find(({ key }) => id.startsWith(`${key}:`));
  if (found === undefined) throw new NotFoundError(`Session ${id}`, "here");
  return found;
}

/**
 * Histories are files of the person at this machine: only requests from this machine with all permissions see them. A
 * server that other machines can reach has none.
 */
async function recordedUnits(c: Context<ServerEnv>, { histories }: Services): Promise<readonly SessionUnit[]> {
  const isHere = isLoopback(new URL(c.req.url).hostname);
  if (histories === undefined || !isHere || !c.var.caller.scopes.has("admin")) return [];
  return historyUnits(histories);
}

async function storedUnits(place: SessionDeps): Promise<readonly SessionUnit[]> {
  const units: SessionUnit[] = [];
  for (let after: string | undefined; ; ) {
    const page = await place.throughline.sessions(omitUndefined({ after, limit: PAGE }));
    for (const { sessionId, appended, compactions, updatedAt } of await seenSessions(place, page)) {
      if (appended === 0) continue;
      units.push(unitOf(place, sessionId, `${appended} ${compactions} ${updatedAt}`, updatedAt));
    }
    after = page.at(-1)?.sessionId;
    if (page.length < PAGE) return units;
  }
}

async function findStored(place: SessionDeps, sessionId: string): Promise<SessionUnit> {
  const { session } = await findSession(place, sessionId);
  const [{ appended }, compactions] = [await session.status(), await session.compactions()];
  const current = compactions.filter(({ isUndone }) => !isUndone).map(({ id }) => id);
  return unitOf(place, sessionId, JSON.stringify([appended, current]), 0);
}

function unitOf(place: SessionDeps, sessionId: string, version: string, changedAt: number): SessionUnit {
  const { userId, projectId } = place;
  const open = () => findSession(place, sessionId);
  return storedUnit({ userId, sessionId, version, changedAt, projectId, open });
}
