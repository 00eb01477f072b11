import { assertSame, eventually } from "../assert.ts";
import { HARD_TEXT } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

/** Checks of `notifications`. Stores without this optional part skip them. */
export const NOTIFICATION_FACTS: readonly StoreFact[] = [
  [
    "notifications of a session reach its subscribers only",
    async ({ notifications }, key) => {
      if (notifications === undefined) return;
      const others = [
        { ...key, userId: `${key.userId}2` },
        { ...key, sessionId: `${key.sessionId}2` },
      ];
      const received: unknown[][] = [[], [], []];
      const stops = await Promise.all([
        ...[0, 1].map((i) => notifications.subscribe(key, (item) => received[i]?.push(item))),
        ...others.map((other) => notifications.subscribe(other, (item) => received[2]?.push(item))),
      ]);
      const items = [{ type: "appended", text: HARD_TEXT }, "text", [1, null], { last: true }];
      for (const item of items) await notifications.publish(key, item);
      await eventually(
        () => received[0]?.length === items.length && received[1]?.length === items.length,
        "all subscribers received the notifications",
      );
      for (const other of others) await notifications.publish(other, "other");
      await eventually(() => received[2]?.length === others.length, "subscribers of other sessions received theirs");
      assertSame(received, [items, items, ["other", "other"]], "the received notifications");
      for (const stop of stops) await stop();
    },
  ],
  [
    "an unsubscribed listener receives no more notifications",
    async ({ notifications }, key) => {
      if (notifications === undefined) return;
      const received: Record<"stays" | "stops", unknown[]> = { stays: [], stops: [] };
      const stays = await notifications.subscribe(key, (item) => received.stays.push(item));
      const stops = await notifications.subscribe(key, (item) => received.stops.push(item));
      await notifications.publish(key, 1);
      await eventually(() => received.stays.length === 1 && received.stops.length === 1, "both receive the first item");
      await stops();
      await notifications.publish(key, 2);
      await eventually(() => received.stays.length === 2, "one receives the second item");
      assertSame(received, { stays: [1, 2], stops: [1] }, "the received notifications");
      await stays();
    },
  ],
];
