import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../throughline/test/cases.ts";
import { apiServer } from "./api-server.ts";
import { bodiesOf } from "./json-schema.arbitrary.ts";
import { operationsIn, readDocument } from "./operations.ts";

const server = apiServer();
const runs = cases(12);

/** Ids that may exist, and ids that never exist. */
const id = fc.oneof(
  fc.constantFrom("fuzz", "s1", "1", "mem_x", "%00", "🦊", "__proto__", "constructor", "a/b"),
  // These would be parsed as path segments.
  fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text !== "." && text !== ".."),
);
const query = fc.dictionary(
  fc.constantFrom("limit", "cursor", "status", "kind", "all", "state", "project"),
  fc.string({ maxLength: 12 }),
  {
    maxKeys: 3,
  },
);

describe("any request", () => {
  it("is answered as documented, without a server error", {
    timeout: 600_000,
  }, async () => {
    const document = await readDocument(server);
    await server.post("/sessions", { id: "fuzz", context_limit: 8_000 });
    for (const operation of operationsIn(document)) {
      if (operation.path.endsWith("/events")) continue;
      const body =
        operation.body === undefined ? fc.constant(undefined) : bodiesOf(operation.body, document.components.schemas);
      await fc.assert(
        fc.asyncProperty(id, query, body, async (part, asked, sent) => {
          const path = operation.path.replace("{id}", encodeURIComponent(part));
          const answer = await server.call(operation.method, `${path}?${new URLSearchParams(asked)}`, sent);
          const status = answer.status ?? 0;
          expect(status).toBeLessThan(500);
          expect(Object.keys(operation.responses)).toContain(String(status));
          if (status >= 400) expect(answer.headers["content-type"]).toBe("application/problem+json");
        }),
        { numRuns: runs },
      );
    }
  });

  it("is answered if it is not JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${server.url}/memories`, { method: "POST", headers, body: new Uint8Array(bytes) });
        expect(answer.status).toBe(400);
      }),
      { numRuns: cases(30) },
    );
  });
});
