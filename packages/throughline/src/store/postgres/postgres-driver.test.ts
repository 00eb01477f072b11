import { describe, expect, it } from "vitest";
import type { PostgresConnection } from "./connections.ts";
import { readWithin, workWithin } from "./postgres-driver.ts";

/** A connection whose responses the test triggers. */
function manualConnection() {
  const sent: { readonly text: string; readonly answer: PromiseWithResolvers<void> }[] = [];
  const send = (text: string) => {
    const answer = Promise.withResolvers<void>();
    sent.push({ text, answer });
    return answer.promise;
  };
  const connection: PostgresConnection = {
    script: send,
    query: (text) => send(text).then(() => ({ rows: [{ n: 1 }], changed: 1 })),
    together: (run) => run(),
    finish: (text) => void send(text),
  };
  return { connection, sent, texts: () => sent.map(({ text }) => text) };
}

describe("a transaction on PostgreSQL", () => {
  it("takes one round trip for one read", async () => {
    const { connection, sent, texts } = manualConnection();
    const reading = readWithin(connection, "BEGIN", (tx) => tx.all("SELECT 1"));
    // Both are sent before the first answer.
    expect(texts()).toEqual(["BEGIN", "SELECT 1"]);
    for (const { answer } of sent) answer.resolve();
    // The answer to COMMIT never comes here.
    expect(await reading).toEqual([{ n: 1 }]);
    expect(texts()).toEqual(["BEGIN", "SELECT 1", "COMMIT"]);
  });

  it("fails with the error of its beginning, and is rolled back", async () => {
    const { connection, sent, texts } = manualConnection();
    const writing = workWithin(connection, "BEGIN", (tx) => tx.run("INSERT"));
    sent[1]?.answer.reject(new Error("current transaction is aborted"));
    sent[0]?.answer.reject(new Error("no such schema"));
    await expect.poll(texts).toContain("ROLLBACK");
    sent[2]?.answer.resolve();
    await expect(writing).rejects.toThrow("no such schema");
  });
});
