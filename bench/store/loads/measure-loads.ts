import { median } from "../../prepare/prepare-times.ts";
import type { LongSession } from "./build-session.ts";
import type { LoadTarget, OpenedWindow } from "./load-target.ts";

export interface LoadTime extends OpenedWindow {
  readonly name: string;
  readonly session: LongSession;
}

/** Median times over the rounds, with the lengths in turn; the first round is not counted. */
export async function measureLoads(
  targets: readonly LoadTarget[],
  sessions: readonly LongSession[],
  rounds: number,
): Promise<LoadTime[]> {
  const cases = targets.flatMap((target) =>
    sessions.map((session) => ({ target, session, opened: [] as OpenedWindow[] })),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const { target, session, opened } of cases) {
      const window = await target.openWindow(session);
      if (round > 0) opened.push(window);
    }
  }
  return cases.flatMap(({ target, session, opened }) => {
    const [last] = opened.slice(-1);
    if (last === undefined) return [];
    const open = median(opened.map((window) => window.open));
    const load = median(opened.map((window) => window.load));
    return [{ ...last, name: target.name, session, open, load }];
  });
}
