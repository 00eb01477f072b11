import { expect, it } from "vitest";
import { dexieStore } from "./dexie.ts";

it.each([
  [{ nope: 1 }, 'Invalid option of dexieStore: "nope". Expected one of name, clock.'],
  [{ name: 7 }, "Invalid name of dexieStore: 7. Expected a string."],
  [{ clock: {} }, "Invalid clock of dexieStore: a value of type object. Expected an object with now()."],
])("dexieStore refuses %j", (options, message) => {
  expect(() => dexieStore(options as never)).toThrow(message);
});
