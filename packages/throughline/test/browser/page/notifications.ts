import type { PageApi } from "../page-api.ts";
import { key, storeOn } from "./stores.ts";

const received = new Map<string, { writes: number; readonly notifications: unknown[] }>();

export const notifications: Pick<PageApi, "listen" | "received" | "publish"> = {
  listen: async (database) => {
    const log: { writes: number; readonly notifications: unknown[] } = { writes: 0, notifications: [] };
    received.set(database, log);
    storeOn(database).onOtherTab(() => {
      log.writes += 1;
    });
    await storeOn(database).notifications?.subscribe(key, (item) => log.notifications.push(item));
  },
  received: async (database) => received.get(database) ?? { writes: 0, notifications: [] },
  publish: async (database, item) => storeOn(database).notifications?.publish(key, item),
};
