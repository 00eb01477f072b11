import { assertSame, eventually } from "../assert.ts";
import { HARD_TEXT } from "../samples.ts";
import type { StoreFact } from "../store-check.ts";

/** For stores that can tell; others are without news. */
export const NEWS_FACTS: readonly StoreFact[] = [
  [
    "news of a session reach all who listen to it, and nobody else",
    async ({ news }, key) => {
      if (news === undefined) return;
      const others = [
        { ...key, owner: `${key.owner}2` },
        { ...key, sessionId: `${key.sessionId}2` },
      ];
      const heard: unknown[][] = [[], [], []];
      const stops = await Promise.all([
        ...[0, 1].map((i) => news.subscribe(key, (item) => heard[i]?.push(item))),
        ...others.map((other) => news.subscribe(other, (item) => heard[2]?.push(item))),
      ]);
      const told = [{ type: "appended", text: HARD_TEXT }, "text", [1, null], { last: true }];
      for (const item of told) await news.publish(key, item);
      await eventually(() => heard[0]?.length === told.length && heard[1]?.length === told.length, "all have heard it");
      for (const other of others) await news.publish(other, "other");
      await eventually(() => heard[2]?.length === others.length, "others have heard theirs");
      assertSame(heard, [told, told, ["other", "other"]], "what was heard");
      for (const stop of stops) await stop();
    },
  ],
  [
    "news end for who has stopped listening",
    async ({ news }, key) => {
      if (news === undefined) return;
      const heard: Record<"stays" | "stops", unknown[]> = { stays: [], stops: [] };
      const stays = await news.subscribe(key, (item) => heard.stays.push(item));
      const stops = await news.subscribe(key, (item) => heard.stops.push(item));
      await news.publish(key, 1);
      await eventually(() => heard.stays.length === 1 && heard.stops.length === 1, "both hear the first");
      await stops();
      await news.publish(key, 2);
      await eventually(() => heard.stays.length === 2, "one hears the second");
      assertSame(heard, { stays: [1, 2], stops: [1] }, "what was heard");
      await stays();
    },
  ],
];
