import { median } from "../../prepare/prepare-times.ts";
import type { LongSession } from "./build-session.ts";
import type { OpenedWindow, Shelf } from "./load-target.ts";

export interface LoadTime extends OpenedWindow {
  readonly name: string;
  readonly session: LongSession;
}

/** Median times over the rounds, the lengths in turn, the first round for nothing. */
export async function measureLoads(
  shelves: readonly Shelf[],
  sessions: readonly LongSession[],
  rounds: number,
): Promise<LoadTime[]> {
  const cases = shelves.flatMap((shelf) =>
    sessions.map((session) => ({ shelf, session, opened: [] as OpenedWindow[] })),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const { shelf, session, opened } of cases) {
      const window = await shelf.openWindow(session);
      if (round > 0) opened.push(window);
    }
  }
  return cases.flatMap(({ shelf, session, opened }) => {
    const [last] = opened.slice(-1);
    if (last === undefined) return [];
    const open = median(opened.map((window) => window.open));
    const load = median(opened.map((window) => window.load));
    return [{ ...last, name: shelf.name, session, open, load }];
  });
}
