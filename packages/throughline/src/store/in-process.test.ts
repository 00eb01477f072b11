import { describe, expect, it } from "vitest";
import { conversation } from "../test/samples.ts";
import { storeChecks } from "../test/store-checks.ts";
import { inProcessStore } from "./in-process.ts";

describe("the store in the process", () => {
  for (const { name, run } of storeChecks(async () => inProcessStore())) it(name, run);

  it("looks at each id of an append once, and not at all others", async () => {
    const key = { owner: "ann", sessionId: "s" };
    let looks = 0;
    const messages = conversation(key, 2000).map(({ id, ...message }) => ({
      ...message,
      get id() {
        looks += 1;
        return id;
      },
    }));
    await inProcessStore().messages.append(key, 0, messages);
    expect(looks).toBeLessThan(10 * messages.length);
  });
});
