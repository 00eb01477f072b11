import { describe, it } from "vitest";
import { storeChecks } from "../test/store-checks.ts";
import { inProcessStore } from "./in-process.ts";

describe("the store in the process", () => {
  for (const { name, run } of storeChecks(async () => inProcessStore())) it(name, run);
});
