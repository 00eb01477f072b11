// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useFollowEnd } from "./use-follow-end.ts";

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
