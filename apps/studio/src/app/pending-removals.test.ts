import { expect, it } from "vitest";
import { PendingRemovals } from "./pending-removals.ts";

it("a deletion can be undone if nothing may be written down, and ends in its own time", () => {
  let now = 0;
  const denied = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const timers: { readonly after: number; readonly run: () => void }[] = [];
  let due = 0;
  const removals = new PendingRemovals({
    stored: { read: denied, write: denied },
    now: () => now,
    schedule: (after, run) => {
      timers.push({ after, run });
      return () => undefined;
    },
    due: () => {
      due += 1;
    },
  });
  removals.add({ conversationId: "c1", title: "Trip", alsoMemories: false });
  removals.add({ conversationId: "c2", title: "Plans", alsoMemories: true });
  expect(removals.take("c1")?.title).toBe("Trip");
  expect(removals.due()).toEqual([]);
  now = timers.at(-1)?.after ?? 0;
  timers.at(-1)?.run();
  expect(due).toBe(1);
  expect(removals.due().map(({ title }) => title)).toEqual(["Plans"]);
});
