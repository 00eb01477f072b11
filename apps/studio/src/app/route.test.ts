import { describe, expect, it } from "vitest";
import { parseRoute, routeHref } from "./route.ts";

describe("the address of the page", () => {
  it("names a page and its open item", () => {
    expect(parseRoute("#/sessions/claude-code:a%2Fb/3")).toEqual({
      place: "sessions",
      path: ["claude-code:a/b", "3"],
    });
    expect(parseRoute("#/memories")).toEqual({ place: "memories", path: [] });
  });

  it("is the chat if it names no known place", () => {
    for (const hash of ["", "#", "#/", "#/nowhere/x", "#%E0%A4%A"])
      expect(parseRoute(hash)).toEqual({ place: "chat", path: [] });
  });

  it("comes back from a link", () => {
    expect(parseRoute(routeHref("sessions", "a/b #?%", 2))).toEqual({ place: "sessions", path: ["a/b #?%", "2"] });
  });
});
