// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isAtEnd, isLeaving, keepInRange, useFollowEnd } from "./use-message-scrolling.ts";

class NoResizes {
  observe = () => undefined;
  disconnect = () => undefined;
}

/** A list of this size, scrolled to its end. */
function listOf(scrollHeight: number) {
  const element = document.createElement("div");
  const place = { scrollTop: scrollHeight - 100, scrollHeight, clientHeight: 100 };
  for (const name of ["scrollTop", "scrollHeight", "clientHeight"] as const) {
    Object.defineProperty(element, name, {
      get: () => place[name],
      set: (value: number) => {
        place[name] = name === "scrollTop" ? Math.min(value, place.scrollHeight - place.clientHeight) : value;
      },
    });
  }
  vi.stubGlobal("ResizeObserver", NoResizes);
  const { result } = renderHook(() => useFollowEnd({ current: element }));
  act(() => result.current.look());
  const scroll = () => act(() => void element.dispatchEvent(new Event("scroll")));
  return { place, look: () => act(() => result.current.look()), scroll };
}

afterEach(() => vi.unstubAllGlobals());

describe("useFollowEnd", () => {
  it("stays at the end if one row shrinks and another grows before it looks", () => {
    const { place, look } = listOf(500);
    Object.assign(place, { scrollTop: 372, scrollHeight: 528 });
    look();
    expect(place.scrollTop).toBe(428);
  });

  it("leaves the end if the person scrolls up", () => {
    const { place, look, scroll } = listOf(500);
    place.scrollTop = 200;
    scroll();
    place.scrollHeight = 600;
    look();
    expect(place.scrollTop).toBe(200);
  });
});

const place = { scrollTop: 400, scrollHeight: 1_000, clientHeight: 600 };

describe("isAtEnd", () => {
  it("forgives a few pixels", () => {
    expect([isAtEnd(place), isAtEnd({ ...place, scrollTop: 390 }), isAtEnd({ ...place, scrollTop: 380 })]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("isLeaving", () => {
  it("detects scrolling up, also while an answer grows", () => {
    expect(isLeaving(place, { ...place, scrollTop: 300 })).toBe(true);
    expect(isLeaving(place, { ...place, scrollTop: 300, scrollHeight: 1_100 })).toBe(true);
  });

  it("ignores a list or a composer that shrinks", () => {
    expect(isLeaving(place, { ...place, scrollTop: 300, scrollHeight: 900 })).toBe(false);
    expect(isLeaving(place, { ...place, scrollTop: 392, clientHeight: 608 })).toBe(false);
  });

  it("does not see scrolling down as leaving", () => {
    expect(isLeaving({ ...place, scrollTop: 100 }, { ...place, scrollTop: 200 })).toBe(false);
  });
});

import fc from "fast-check";

describe("keepInRange", () => {
  it("keeps a row that is being edited far above what is on screen", () => {
    const rows = keepInRange({ startIndex: 500, endIndex: 503, overscan: 1, count: 1_000 }, [7]);
    expect(rows).toEqual([7, 499, 500, 501, 502, 503, 504]);
  });

  it("ignores rows that are no longer there", () => {
    expect(keepInRange({ startIndex: 0, endIndex: 1, overscan: 0, count: 2 }, [-1, 2, 40])).toEqual([0, 1]);
  });

  it("gives each row once, in order, and at most two more than the screen and its margins need", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(10_000),
        fc.nat(30),
        fc.array(fc.integer({ min: -1, max: 10_000 }), { maxLength: 2 }),
        (count, start, height, kept) => {
          const startIndex = start % count;
          const endIndex = Math.min(count - 1, startIndex + height);
          const rows = keepInRange({ startIndex, endIndex, overscan: 6, count }, kept);
          expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
          expect(rows.length).toBeLessThanOrEqual(endIndex - startIndex + 1 + 12 + 2);
          expect(rows.every((row) => row >= 0 && row < count)).toBe(true);
        },
      ),
    );
  });
});
