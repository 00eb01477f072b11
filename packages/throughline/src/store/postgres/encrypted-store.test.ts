import { beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../../../test/long-tests.ts";
import { query, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { conversation, memory, storedMemory } from "../../test/samples.ts";
import { serverChecks, storeChecks } from "../../test/store-checks.ts";
import type { PostgresStoreOptions } from "./connections.ts";
import { postgresStore } from "./postgres-store.ts";

const encryptionKey = "0f".repeat(32);
const otherKey = "f0".repeat(32);
const key = { userId: "ada", sessionId: "s" };

let url: string;

beforeAll(async () => {
  url = await (await sharedPostgres()).createDatabase();
}, START_TIME);

function open(options: PostgresStoreOptions) {
  return postgresStore(url, options);
}

// `npm test` covers encryption on SQLite, and PostgreSQL without encryption.
describe.runIf(isLong)("an encrypted store in PostgreSQL", () => {
  const shared = async () => open({ encryptionKey });
  for (const { name, run } of [...storeChecks(shared), ...serverChecks(shared)]) it(name, run);
});

describe("encrypted tables in PostgreSQL", () => {
  /** Expects a refusal and unchanged rows. */
  async function expectRefused(options: PostgresStoreOptions, problem: string, hint: RegExp): Promise<void> {
    const rows = () => query(url, `SELECT * FROM ${options.schema}.message_parts`);
    const before = await rows();
    const store = open(options);
    const refused = { code: "store", problem, hint: expect.stringMatching(hint) };
    await expect(store.messages.list(key)).rejects.toMatchObject(refused);
    await expect(store.messages.append(key, 3, conversation(key, 1, 3))).rejects.toMatchObject(refused);
    await store.close();
    expect(await rows()).toEqual(before);
  }

  async function fill(options: PostgresStoreOptions): Promise<void> {
    const store = open(options);
    await store.messages.append(key, 0, conversation(key, 3));
    await store.memories.commit("user:ada", { revision: 0, memories: [storedMemory("m")] });
    await store.close();
  }

  it("are refused without their key, and with another one", async () => {
    const schema = "locked";
    await fill({ schema, encryptionKey });
    await expectRefused({ schema }, "encrypted", /THROUGHLINE_ENCRYPTION_KEY/);
    await expectRefused({ schema, encryptionKey: otherKey }, "wrong-key", /key it was encrypted with/);
    const store = open({ schema, encryptionKey });
    expect(await store.messages.list(key)).toEqual(conversation(key, 3));
    await store.close();
  });

  it("are not made of those that are there and are not encrypted, which is said", async () => {
    const schema = "plain";
    await fill({ schema });
    await expectRefused({ schema, encryptionKey }, "not-encrypted", /a new schema/);
  });

  it("open with a new key once that is changed", async () => {
    const schema = "changed";
    await fill({ schema, encryptionKey });
    const store = open({ schema, encryptionKey });
    await store.changeEncryptionKey(otherKey);
    await store.close();
    await expectRefused({ schema, encryptionKey }, "wrong-key", /./);
    const again = open({ schema, encryptionKey: otherKey });
    expect(
      await again.memories.list("user:ada", "memories", {
        current: true,
        matchAny: { slots: [], fingerprints: ["words of m"] },
      }),
    ).toEqual([memory("m")]);
    await again.close();
  });

  it("are not read with an invalid key", () => {
    const invalid = expect.objectContaining({ code: "invalid-option" });
    expect(() => postgresStore("postgres://ada@localhost/none", { encryptionKey: "secret" })).toThrow(invalid);
  });
});
