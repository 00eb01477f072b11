import type { PageApi } from "../page-api.ts";
import { key, storeOn } from "./stores.ts";

const heard = new Map<string, { writes: number; readonly news: unknown[] }>();

export const news: Pick<PageApi, "listen" | "heard" | "publish"> = {
  listen: async (database) => {
    const notes: { writes: number; readonly news: unknown[] } = { writes: 0, news: [] };
    heard.set(database, notes);
    storeOn(database).onOtherTab(() => {
      notes.writes += 1;
    });
    await storeOn(database).news?.subscribe(key, (item) => notes.news.push(item));
  },
  heard: async (database) => heard.get(database) ?? { writes: 0, news: [] },
  publish: async (database, item) => storeOn(database).news?.publish(key, item),
};
