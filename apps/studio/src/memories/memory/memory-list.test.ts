import { describe, expect, it } from "vitest";
import type { ListedMemory, MemoryPage, Query } from "./memory-api.ts";
import { MemoryPages } from "./memory-list.tsx";

/** A list of 1,000 memories, with the requests that it got. */
function serve() {
  const asked: { readonly offset: number; readonly signal: AbortSignal; readonly answer: () => void }[] = [];
  const read = (query: Query, signal = new AbortController().signal) =>
    new Promise<MemoryPage>((resolve) => {
      const offset = Number(query.offset);
      const items = Array.from({ length: 100 }, (_, at) => ({ memory: { id: `m${offset + at}` } }) as ListedMemory);
      asked.push({ offset, signal, answer: () => resolve({ total: 1_000, items }) });
    });
  return { asked, pages: new MemoryPages({}, read) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("the pages of a list", () => {
  it("are read once, when they are looked at", async () => {
    const { asked, pages } = serve();
    pages.show(0, 20);
    pages.show(5, 25);
    expect(asked.map(({ offset }) => offset)).toEqual([0]);
    asked[0]?.answer();
    await settled();
    expect(pages.getSnapshot().total).toBe(1_000);
    pages.show(90, 110);
    expect(asked.map(({ offset }) => offset)).toEqual([0, 100]);
    asked[1]?.answer();
    await settled();
    expect(pages.getSnapshot().items.get(105)?.memory.id).toBe("m105");
  });

  it("are not read if the list scrolls past them", async () => {
    const { asked, pages } = serve();
    pages.show(500, 520);
    pages.show(900, 920);
    expect(asked.map(({ offset, signal }) => [offset, signal.aborted])).toEqual([
      [500, true],
      [900, false],
    ]);
  });

  it("stay on screen while they are read again", async () => {
    const { asked, pages } = serve();
    pages.show(0, 20);
    asked[0]?.answer();
    await settled();
    pages.refresh();
    expect(asked).toHaveLength(2);
    expect(pages.getSnapshot().items.get(3)?.memory.id).toBe("m3");
  });
});
