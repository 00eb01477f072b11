import { Hono } from "hono";
import { expect, it } from "vitest";
import { fairQueue } from "./request-limits.ts";

it("concurrent requests start in order, each after a turn of the event loop", async () => {
  let looks = 0;
  let isDone = false;
  const look = (): void => {
    looks += 1;
    if (!isDone) setImmediate(look);
  };
  look();
  const begun: { readonly name: string; readonly looks: number }[] = [];
  const app = new Hono().use(fairQueue()).get("/:name", (c) => {
    begun.push({ name: c.req.param("name"), looks });
    return c.text("done");
  });
  const names = ["a", "b", "c", "d", "e"];
  const answers = await Promise.all(names.map((name) => app.request(`/${name}`)));
  // Finished requests do not block later ones.
  expect((await app.request("/f")).status).toBe(200);
  isDone = true;
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(begun.map(({ name }) => name)).toEqual([...names, "f"]);
  expect(new Set(begun.map((one) => one.looks)).size).toBe(6);
});
