import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../throughline/test/cases.ts";
import { createClient } from "../src/client/client.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer();
const client = () => createClient({ url: server.url });

/** A session of 20 steps, each with an output. */
async function longSession(): Promise<string> {
  const { id } = await client().sessions.create({ contextLimit: 64_000, modelId: "gpt-4o" });
  const steps = Array.from({ length: 20 }, (_, i) => [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: `c${i}`, toolName: "Read", input: { path: `src/file-${i}.ts` } }],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: `c${i}`,
          toolName: "Read",
          output: { type: "text", value: `export const value${i} = ${i};\n`.repeat(60) },
        },
      ],
    },
  ]).flat();
  await client().sessions.append(id, [{ role: "user", content: "Rename the values in src." }, ...steps]);
  return id;
}

/** The window as sent. */
async function sent(id: string): Promise<string> {
  return JSON.stringify((await client().sessions.prepare(id, { budget: 60_000 })).messages);
}

describe("edits of a window over HTTP", () => {
  it("say their costs first, are listed and can be undone", async () => {
    const { sessions } = client();
    const id = await longSession();
    const before = await sent(id);
    const window = await sessions.window(id, { limit: 10 });
    expect(window).toMatchObject({ total: 41, items: { length: 10 } });
    const handles = [`message:${window.items[2]?.message_id}`];
    const cost = await sessions.edit(id, { kind: "mask", handles, dryRun: true });
    expect(cost).toMatchObject({ id: "", kind: "mask", handles });
    expect(cost.tokens_after).toBeLessThan(cost.tokens_before);
    expect(await sent(id)).toBe(before);
    const edit = await sessions.edit(id, { kind: "mask", handles });
    expect(edit).toMatchObject({ tokens_after: cost.tokens_after, uncached_tokens: cost.uncached_tokens });
    const masked = (await sessions.window(id)).items[2];
    expect(masked?.masked).toHaveLength(1);
    expect(masked?.text).toContain("masked");
    await sessions.undoEdit(id, edit.id);
    expect((await sessions.edits(id)).items).toMatchObject([{ id: edit.id, is_undone: true }]);
    expect(await sent(id)).toBe(before);
    await expect(sessions.undoEdit(id, edit.id)).rejects.toMatchObject({ status: 404 });
    await expect(sessions.edit(id, { kind: "pin", handles: ["part:none"] })).rejects.toMatchObject({ status: 404 });
  });

  it("bring a compacted message back", async () => {
    const { sessions } = client();
    const id = await longSession();
    const [, , message] = (await sessions.window(id)).items;
    await sessions.compact(id, { keepTokens: 500 });
    expect((await sessions.window(id)).items.map((one) => one.message_id)).not.toContain(message?.message_id);
    await sessions.edit(id, { kind: "pin", handles: [`message:${message?.message_id}`] });
    const back = (await sessions.window(id)).items.find((one) => one.message_id === message?.message_id);
    expect(back).toMatchObject({ text: message?.text, pinned: { length: 1 } });
    const turn = await sessions.prepare(id, {}, { receipt: "full" });
    expect(turn.receipt.items?.map(({ rule }) => rule)).toContain("pin");
  });

  it("make a retried request once", async () => {
    const id = await longSession();
    const [, , message] = (await client().sessions.window(id)).items;
    const body = { kind: "mask", handles: [`message:${message?.message_id}`] };
    const headers = { "idempotency-key": "edit-once" };
    const [first, second] = [
      await server.post(`/sessions/${id}/edits`, body, headers),
      await server.post(`/sessions/${id}/edits`, body, headers),
    ];
    expect(second).toEqual(first);
    expect((await client().sessions.edits(id)).items).toHaveLength(1);
  });

  it("preview a compaction with other settings", async () => {
    const { sessions } = client();
    const id = await longSession();
    const { preview } = await sessions.preview(id, { budget: 8_000, keepTokens: 0, profile: "chat" });
    const { preview: own } = await sessions.preview(id);
    expect(preview?.threshold).toBeLessThan(own?.threshold ?? 0);
    expect(preview?.tokens_after).toBeLessThan(own?.tokens_after ?? 0);
  });
});

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom("pin", "mask", "release"),
    at: fc.array(fc.nat(40), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant("compact"), at: fc.array(fc.nat(3_000), { minLength: 1, maxLength: 1 }) }),
);

describe("random sequences of edits and compactions over HTTP", () => {
  it("are undone step by step to the byte-identical window", async () => {
    const { sessions } = client();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (sequence) => {
        const id = await longSession();
        const ids = (await sessions.window(id, { limit: 200 })).items.map((one) => one.message_id);
        const undos: { readonly before: string; readonly undo: () => Promise<void> }[] = [];
        for (const { kind, at } of sequence) {
          const before = await sent(id);
          if (kind === "compact") {
            const { compaction } = await sessions.compact(id, { keepTokens: at[0] ?? 0 });
            if (compaction !== null) undos.push({ before, undo: () => sessions.restore(id, compaction.id) });
            continue;
          }
          const handles = at.map((i) => `message:${ids[i]}`);
          const edit = await sessions.edit(id, { kind: kind as "pin", handles }).catch((error: unknown) => {
            // Nothing is masked, because the notes would be longer.
            expect(error).toMatchObject({ status: 400 });
          });
          if (edit !== undefined) undos.push({ before, undo: () => sessions.undoEdit(id, edit.id) });
        }
        for (const { before, undo } of undos.reverse()) {
          await undo();
          expect(await sent(id)).toBe(before);
        }
      }),
      { numRuns: cases(20) },
    );
  });
});
