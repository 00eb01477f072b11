import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { assistant, tool, user } from "../../ledger/session.arbitrary.ts";
import { openMemory } from "../../memory/open-memory.fixture.ts";
import type { Message } from "../../message/message.ts";
import { QUIET } from "../../ports/logger.ts";
import type { Model } from "../../ports/model.ts";
import type { Signal } from "../context-api.ts";
import { edited, inSession, MAY, ran } from "./session.arbitrary.ts";
import { eraseRecord, newestRecords, type RecordPorts } from "./session-record.ts";
import { recordSession, withoutSecrets } from "./session-recorder.ts";

async function opened(model?: Model) {
  const { memory, store, clock } = await openMemory({ projectId: "shop" });
  clock.time = MAY + DAY;
  const signals: Signal[] = [];
  const ports: RecordPorts = {
    memory,
    documents: store.documents,
    userId: "local",
    projectId: "shop",
    logger: QUIET,
    model,
    observe: async (signal) => void signals.push(signal),
  };
  const record = (messages: readonly Message[]) => recordSession(ports, { sessionId: "s", messages, folder: "/app" });
  const episodes = () => memory.list({ kinds: ["episode"], all: true });
  return { memory, ports, record, episodes, signals };
}

const BEGUN = inSession("s", [
  user("The cart forgets its items after a reload of the page."),
  ran("cat src/cart.ts"),
  edited("/app/src/cart.ts"),
  assistant("The cart keeps its items in the session storage of the browser now."),
]);
const GONE_ON = inSession("s", [
  user("The cart forgets its items after a reload of the page."),
  ran("cat src/cart.ts"),
  edited("/app/src/cart.ts"),
  assistant("The cart keeps its items in the session storage of the browser now."),
  user("Please commit the cart."),
  ran("git commit -am x", "[main 1a2b3c4] fix(cart): keep items over a reload"),
  assistant("Committed the change of the cart as 1a2b3c4, as you asked for."),
]);

describe("recording a session", () => {
  it("saves an episode with project and time", async () => {
    const { record, episodes } = await opened();
    expect((await record(BEGUN)).episodes).toEqual({ added: 1, updated: 0, unchanged: 0, left: 0 });
    expect(await episodes()).toMatchObject([
      {
        kind: "episode",
        projectId: "shop",
        byHand: false,
        source: { sessionId: "s", messageId: "s-m0", at: BEGUN.at(-1)?.createdAt },
        validFrom: MAY,
        artifacts: [{ type: "file", ref: "src/cart.ts" }],
      },
    ]);
  });

  it("updates the episode when the session continues, and writes nothing without new messages", async () => {
    const { memory, record, episodes } = await opened();
    await record(BEGUN);
    const [before] = await episodes();
    expect((await record(GONE_ON)).episodes).toMatchObject({ added: 0, updated: 1 });
    const [after, ...more] = await episodes();
    expect(more).toEqual([]);
    expect(after?.id).toBe(before?.id);
    expect(after?.artifacts).toContainEqual({ type: "commit", ref: "1a2b3c4" });
    const journal = await memory.journal();
    expect((await record(GONE_ON)).episodes).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await memory.journal()).toEqual(journal);
  });

  it("keeps episodes that a user edited, archived or erased unchanged", async () => {
    const { memory, record, episodes } = await opened();
    await record(BEGUN);
    const [{ id } = { id: "" }] = await episodes();
    await memory.update(id, { text: "The cart was repaired by Ada." });
    expect((await record(GONE_ON)).episodes).toMatchObject({ left: 1 });
    expect((await memory.get(id))?.levels.full).toBe("The cart was repaired by Ada.");
    await memory.purge(id);
    expect((await record(GONE_ON)).episodes).toMatchObject({ left: 1, added: 0 });
    expect(await episodes()).toEqual([]);
  });

  it("reports each use of a project file to the predictor once", async () => {
    const { record, signals } = await opened();
    const outside = inSession("s", [
      user("Look at these two files"),
      edited("/etc/hosts"),
      ran("cat .git/config src/a.ts"),
    ]);
    expect((await record([...outside])).touches).toBe(1);
    expect((await record([...outside])).touches).toBe(0);
    expect(signals).toEqual([{ fileOpened: "src/a.ts", sessionId: "s", at: MAY + 3 * 60_000 }]);
  });

  it("reports missed file uses to a predictor that is added later", async () => {
    const { ports, record, signals } = await opened();
    const facts = { sessionId: "s", messages: BEGUN, folder: "/app" };
    expect(await recordSession({ ...ports, observe: undefined }, facts)).toMatchObject({ touches: 0 });
    expect(await newestRecords(ports, 1)).toMatchObject([{ touches: 1, told: 0 }]);
    expect(await record(BEGUN)).toMatchObject({ touches: 1, episodes: { unchanged: 1 } });
    expect(signals).toMatchObject([{ fileOpened: "src/cart.ts" }]);
  });

  it("uses the text of the model if the session supports it", async () => {
    const { record, episodes } = await opened({
      modelId: "m",
      generate: async () => ({
        text: '{"summary": "Cart keeps its items over a reload", "compressed": "cart: items→storage", "index": "cart_reload"}',
      }),
    });
    await record(BEGUN);
    expect(await episodes()).toMatchObject([
      {
        levels: {
          summary: "Cart keeps its items over a reload",
          compressed: "cart: items→storage",
          index: "cart_reload",
        },
      },
    ]);
  });

  const bad: [what: string, generate: Model["generate"]][] = [
    ["throws", () => Promise.reject(new Error("no"))],
    ["writes nothing", async () => ({ text: "" })],
    [
      "makes things up",
      async () => ({
        text: '{"summary": "Replaced Redis by Kafka 9", "compressed": "Redis→Kafka 9", "index": "Kafka9"}',
      }),
    ],
  ];
  it.each(bad)("uses the text of the rules if the model %s", async (_, generate) => {
    const [plain, asked] = [await opened(), await opened({ modelId: "m", generate })];
    await plain.record(BEGUN);
    await asked.record(BEGUN);
    const levels = async ({ episodes }: typeof plain) => (await episodes()).map((one) => one.levels);
    expect(await levels(asked)).toEqual(await levels(plain));
  });

  it("calls the model only for new content", async () => {
    let asked = 0;
    const { record } = await opened({
      modelId: "m",
      generate: async () => {
        asked += 1;
        return { text: "" };
      },
    });
    for (let i = 0; i < 3; i += 1) await record(BEGUN);
    expect(asked).toBe(1);
  });

  it("stops when aborted", async () => {
    const { ports } = await opened();
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(recordSession(ports, { sessionId: "s", messages: BEGUN }, { signal })).rejects.toThrow("stop");
  });

  it("keeps memories written concurrently until they are erased", async () => {
    const { ports, record } = await opened();
    await record(GONE_ON);
    expect(await newestRecords(ports, 10)).toMatchObject([
      { sessionId: "s", messages: 10, runs: [{ step: "commit" }] },
    ]);
    expect(await newestRecords({ ...ports, projectId: "sho" }, 10)).toEqual([]);
    await eraseRecord(ports, "s");
    expect(await newestRecords(ports, 10)).toEqual([]);
  });
});

const KEY = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;

describe("a message prepared for learning", () => {
  it("has no secrets in text, tool arguments or tool results", () => {
    const messages = [
      user(`My key is ${KEY}.`),
      ...tool("Bash", { command: `deploy --token ${KEY}`, env: { list: [KEY] } }, `!bad key ${KEY}`),
      ...tool("Bash", `{"command":"deploy ${KEY}"}`, `${"x ".repeat(20_000)}${KEY} at the end`),
    ];
    const safe = messages.map(withoutSecrets);
    expect(JSON.stringify(safe)).not.toContain("Ab3dEf6h");
    expect(safe.map(({ id, role }) => ({ id, role }))).toEqual(messages.map(({ id, role }) => ({ id, role })));
  });

  it("keeps the status of a call and both ends of its output", () => {
    const [, failed] = tool("Bash", { command: "x" }, `!first${" line".repeat(20_000)} last`);
    const [part] = failed === undefined ? [] : withoutSecrets(failed).parts;
    expect(part).toMatchObject({ type: "tool-result", output: { type: "error-text" } });
    expect(JSON.stringify(part)).toMatch(/"first line.*line last"/s);
    expect(JSON.stringify(part).length).toBeLessThan(13_000);
  });

  it("contains no partial secret if an output is truncated", () => {
    for (let shift = 0; shift < 60; shift += 1) {
      const text = `${"y".repeat(12_000 - shift)} ${KEY} ${"z ".repeat(20_000)}`;
      expect(JSON.stringify(tool("Bash", {}, text).map(withoutSecrets))).not.toContain("Ab3dEf6h");
    }
  });
});
