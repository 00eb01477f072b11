import process from "node:process";
import { describe, expect, it } from "vitest";
import { apiServer } from "../server/api-server.ts";
import { operationsIn, readDocument } from "../server/operations.ts";
import { ADVERSARIAL_INPUTS, SHORT_INPUTS } from "./adversarial-inputs.ts";
import { findGrowth } from "./cpu-growth.ts";
import { ROUTE_ADAPTERS } from "./route-adapters.ts";

const inputs = process.env.THROUGHLINE_SOAK === undefined ? SHORT_INPUTS : ADVERSARIAL_INPUTS;
const SIZE = 24_000;

const server = apiServer();
const adapted = Object.entries(ROUTE_ADAPTERS).flatMap(([route, adapter]) =>
  typeof adapter === "string" ? [] : [{ route, adapter }],
);

describe("the list of routes", () => {
  it("names every operation of the server's document, and none that is gone", async () => {
    const operations = operationsIn(await readDocument(server)).map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(ROUTE_ADAPTERS).sort()).toEqual([...operations].sort());
  });
});

describe("the cost of a request grows with its text, not faster", () => {
  it.each(adapted)("$route", async ({ adapter }) => {
    const found: string[] = [];
    for (const input of inputs) {
      const growth = await findGrowth((size) => adapter(server, input.make(size)), SIZE);
      if (growth !== undefined) found.push(`${input.name}: ${growth}`);
    }
    expect(found).toEqual([]);
  });
});
