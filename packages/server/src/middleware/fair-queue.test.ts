import { Hono } from "hono";
import { expect, it } from "vitest";
import { takeTurns } from "./fair-queue.ts";

it("requests that come at once begin in their order, each after another look at the network", async () => {
  let looks = 0;
  let isDone = false;
  const look = (): void => {
    looks += 1;
    if (!isDone) setImmediate(look);
  };
  look();
  const begun: { readonly name: string; readonly looks: number }[] = [];
  const app = new Hono().use(takeTurns()).get("/:name", (c) => {
    begun.push({ name: c.req.param("name"), looks });
    return c.text("done");
  });
  const names = ["a", "b", "c", "d", "e"];
  const answers = await Promise.all(names.map((name) => app.request(`/${name}`)));
  // Nobody waits for those who are through.
  expect((await app.request("/f")).status).toBe(200);
  isDone = true;
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(begun.map(({ name }) => name)).toEqual([...names, "f"]);
  expect(new Set(begun.map((one) => one.looks)).size).toBe(6);
});
