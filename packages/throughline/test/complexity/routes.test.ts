import { describe, expect, it } from "vitest";
import { apiServer } from "../../../server/test/api-server.ts";
import { operationsIn, readDocument } from "../../../server/test/operations.ts";
import { longTest } from "../long-tests.ts";
import { growthOverInputs } from "./growth-over-inputs.ts";
import { ROUTE_ADAPTERS } from "./route-adapters.ts";

const steepInputs = growthOverInputs({ first: 3_000, max: 96_000, enough: 20 });
const adapted = Object.entries(ROUTE_ADAPTERS).flatMap(([route, adapter]) =>
  typeof adapter === "string" ? [] : [{ route, adapter }],
);

describe("the list of routes", () => {
  const server = apiServer();
  it("names every operation of the server's document, and none that is gone", async () => {
    const operations = operationsIn(await readDocument(server)).map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(ROUTE_ADAPTERS).sort()).toEqual([...operations].sort());
  });
});

describe("the cost of a request grows with its text, not faster", () => {
  describe.each(adapted)("$route", ({ route, adapter }) => {
    // A separate store: memories of other routes would be compared with some of the texts.
    const server = apiServer();
    longTest("takes every text in linear time", async () => {
      expect(await steepInputs(route, (text) => adapter(server, text))).toEqual([]);
    });
  });
});
