import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import { validateWindow } from "../message/validate-window.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { clock, session, steps, task } from "./long-session.fixture.ts";
import type { Session } from "./session.ts";

const messages = [{ role: "user", content: task } as const, ...steps(40)];

/** The window as it would be sent. */
async function sent(open: Session): Promise<string> {
  return JSON.stringify((await open.prepare({ dryRun: true, budget: 1_000_000 })).messages);
}

async function partOf(open: Session, index: number): Promise<string> {
  const history = await open.history();
  return `part:${history[index]?.parts[0]?.id}`;
}

describe("the window of a session", () => {
  it("masks content by hand and previews the cost", async () => {
    const open = await session();
    const handle = await partOf(open, 2);
    const before = await sent(open);
    const cost = await open.window.mask([handle], { dryRun: true });
    expect(await sent(open)).toBe(before);
    expect(cost).toMatchObject({ id: "", kind: "mask", isUndone: false });
    expect(cost.tokensAfter).toBeLessThan(cost.tokensBefore);
    expect(cost.uncachedTokens).toBeGreaterThan(0);
    expect(cost.uncachedTokens).toBeLessThan(cost.tokensAfter);
    const edit = await open.window.mask([handle]);
    expect(edit).toMatchObject({ id: "s/edit-1", tokensAfter: cost.tokensAfter });
    const masked = await sent(open);
    expect(masked).toContain(`Recall it as ${handle}`);
    expect(masked.split("value0").length).toBe(2);
    expect(JSON.stringify((await open.recall(handle)).messages)).toContain("value0 = 0");
    await open.window.undo(edit.id);
    expect(await sent(open)).toBe(before);
    expect(await open.window.edits()).toEqual([expect.objectContaining({ id: "s/edit-1", isUndone: true })]);
  });

  it("masks texts, files and the inputs of calls", async () => {
    const text = "A long text.\nBy the user. ".repeat(40);
    const data = "iVBORw0KGgo".repeat(400);
    const open = await session([
      {
        role: "user",
        content: [
          { type: "text", text },
          { type: "file", mediaType: "image/png", data },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c", toolName: "Write", input: { content: text } }],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "c", toolName: "Write", output: { type: "text", value: "Written." } },
        ],
      },
    ]);
    const ids = (await open.history()).map(({ id }) => `message:${id}`);
    await open.window.mask(ids);
    const window = await sent(open);
    expect(window).not.toContain("By the user");
    expect(window).not.toContain(data);
    // A note would be longer.
    expect(window).toContain("Written.");
    expect(validateWindow((await open.prepare({ dryRun: true })).messages, "anthropic")).toEqual([]);
  });

  it("brings a compacted output back with its call, and keeps it through later compactions", async () => {
    const open = await session();
    const handle = await partOf(open, 2);
    await open.compact({ keepTokens: 1_000 });
    const compacted = await sent(open);
    expect(compacted).not.toContain("value0 = 0");
    const edit = await open.window.pin([handle]);
    expect(edit.tokensAfter).toBeGreaterThan(edit.tokensBefore);
    const turn = await open.prepare({ dryRun: true, budget: 1_000_000 });
    expect(validateWindow(turn.messages, "anthropic")).toEqual([]);
    expect(JSON.stringify(turn.messages)).toContain("value0 = 0");
    expect(turn.receipt.items.filter(({ rule }) => rule === "pin")).toHaveLength(2);
    expect(turn.receipt.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(turn.receipt.tokens);
    await open.append(steps(6, 800));
    expect(await open.compact({ keepTokens: 500 })).toBeDefined();
    expect(await sent(open)).toContain("value0 = 0");
    await open.window.release([handle]);
    expect(await sent(open)).not.toContain("value0 = 0");
  });

  it("masks results restored with a pinned one", async () => {
    const call = (id: string) => ({ type: "tool-call", toolCallId: id, toolName: "Read", input: {} }) as const;
    const result = (id: string, value: string) =>
      ({ type: "tool-result", toolCallId: id, toolName: "Read", output: { type: "text", value } }) as const;
    const open = await session([
      { role: "user", content: task },
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "tool", content: [result("a", "first\n".repeat(300)), result("b", "second ".repeat(300))] },
      ...steps(40),
    ]);
    const [, , results] = await open.history();
    await open.compact({ keepTokens: 1_000 });
    await open.window.pin([`part:${results?.parts[1]?.id}`]);
    const window = await sent(open);
    expect(window).toContain("second second");
    expect(window).not.toContain("first\\nfirst");
    expect(window).toContain("Output of Read masked");
  });

  it("does not mask pinned outputs", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(40, 2_000)]);
    const handle = await partOf(open, 2);
    await open.window.pin([handle]);
    expect((await open.prepare({ budget: 40_000 })).wasPruned).toBe(true);
    const [, , first, , second] = await open.window.messages();
    expect(first?.message.parts[0]).toMatchObject({ type: "tool-result" });
    expect(first?.message.parts[0]).not.toHaveProperty("compactedAt");
    expect(first?.pinned).toEqual([handle.slice("part:".length)]);
    expect(second?.message.parts[0]).toHaveProperty("compactedAt");
  });

  it("shows pruned outputs again", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(40, 2_000)]);
    await open.prepare({ budget: 40_000 });
    const handle = await partOf(open, 2);
    expect((await open.window.messages())[2]?.message.parts[0]).toHaveProperty("compactedAt");
    await open.window.pin([handle]);
    expect((await open.window.messages())[2]?.message.parts[0]).not.toHaveProperty("compactedAt");
  });

  it("has the same window in another process", async () => {
    const store = inProcessStore();
    const open = async () => (await createThroughline({ clock, store })).session("s", { contextLimit: 24_000 });
    const [first, second] = [await open(), await open()];
    await first.append(messages);
    await first.compact({ keepTokens: 1_000 });
    await first.window.pin([await partOf(first, 4)]);
    await first.window.mask([await partOf(first, messages.length - 1)]);
    expect(await sent(second)).toBe(await sent(first));
  });

  it("previews a compaction with another budget, tail, profile and model", async () => {
    const open = await session();
    const [own, other] = [
      await open.preview(),
      await open.preview({ budget: 6_000, keepTokens: 300, profile: "chat", modelId: "claude-sonnet-4-5" }),
    ];
    expect(other?.threshold).toBeLessThan(own?.threshold ?? 0);
    expect(other?.tokensAfter).toBeLessThan(own?.tokensAfter ?? 0);
    expect(other?.summary).not.toBe(own?.summary);
    expect(other?.tokensBefore).not.toBe(own?.tokensBefore);
    expect(await open.compactions()).toEqual([]);
    await expect(open.preview({ profile: "none" as "chat" })).rejects.toThrow(InvalidOptionError);
  });

  it("refuses unknown handles, notes that save nothing, and edits that are undone", async () => {
    const open = await session([{ role: "user", content: "Hi" }]);
    await expect(open.window.pin(["part:none"])).rejects.toThrow(NotFoundError);
    await expect(open.window.mask([await partOf(open, 0)])).rejects.toThrow(InvalidOptionError);
    await expect(open.window.pin([])).rejects.toThrow(InvalidOptionError);
    const { id } = await open.window.pin([await partOf(open, 0)]);
    await open.window.undo(id);
    await expect(open.window.undo(id)).rejects.toThrow(NotFoundError);
  });
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("pin" as const), at: fc.array(fc.nat(80), { minLength: 1 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("mask" as const), at: fc.array(fc.nat(80), { minLength: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("release" as const), at: fc.array(fc.nat(80), { minLength: 1 }) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("compact" as const), keep: fc.nat(6_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("turn" as const), budget: fc.integer({ min: 3_000, max: 9_000 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does a step. Returns its undo, or nothing if the step changed nothing. */
async function act(open: Session, one: Step) {
  if (one.type === "compact") {
    const event = await open.compact({ keepTokens: one.keep });
    return event && (() => open.restore(event.id));
  }
  if (one.type === "turn") {
    const { wasPruned, wasCompacted } = await open.prepare({ budget: one.budget });
    // A turn that only masks outputs has no undo.
    fc.pre(wasCompacted || !wasPruned);
    const last = (await open.compactions()).at(-1);
    return wasCompacted && last !== undefined ? () => open.restore(last.id) : undefined;
  }
  const handles = await Promise.all(one.at.map((at) => partOf(open, at)));
  try {
    const { id } = await open.window[one.type](handles);
    return () => open.window.undo(id);
  } catch (error) {
    // The task is shorter than a note.
    if (error instanceof InvalidOptionError) return undefined;
    throw error;
  }
}

/** Records the pins and unpins of a step. */
async function note(open: Session, one: Step, pinned: Set<string>): Promise<void> {
  if (one.type === "compact" || one.type === "turn") return;
  for (const at of one.at) pinned[one.type === "pin" ? "add" : "delete"](await partOf(open, at));
}

/** True if all content of these handles is in the window verbatim. */
async function holds(open: Session, pinned: ReadonlySet<string>): Promise<boolean> {
  const shown = new Set(
    (await open.window.messages()).flatMap(({ message }) => message.parts).map((one) => JSON.stringify(one)),
  );
  const original = (await open.history()).flatMap(({ parts }) => parts).filter(({ id }) => pinned.has(`part:${id}`));
  return original.every((part) => shown.has(JSON.stringify(part)));
}

describe("any sequence of edits and compactions", () => {
  it("is undone step by step, each time to the byte-identical window", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (sequence) => {
        const open = await session(messages);
        const pinned = new Set<string>();
        const done: { readonly before: string; readonly undo: () => Promise<unknown> }[] = [];
        for (const one of sequence) {
          const before = await sent(open);
          const undo = await act(open, one);
          if (undo !== undefined) done.push({ before, undo });
          const turn = await open.prepare({ dryRun: true, budget: 1_000_000 });
          expect(validateWindow(turn.messages, "anthropic")).toEqual([]);
          expect(turn.receipt.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(turn.receipt.tokens);
          if (undo !== undefined) await note(open, one, pinned);
          expect(await holds(open, pinned)).toBe(true);
        }
        for (const { before, undo } of done.reverse()) {
          await undo();
          expect(await sent(open)).toBe(before);
        }
      }),
      { numRuns: cases(50) },
    );
  });

  it("can be undone in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat()), { minLength: 2, maxLength: 8 }), async (sequence) => {
        const open = await session(messages);
        const before = await sent(open);
        const undos: { readonly order: number; readonly undo: () => Promise<unknown> }[] = [];
        for (const [one, order] of sequence) {
          const undo = await act(open, one);
          if (undo !== undefined) undos.push({ order, undo });
        }
        for (const { undo } of undos.sort((a, b) => a.order - b.order)) {
          // Undoing a compaction undoes those that include it.
          await undo().catch((error: unknown) => expect(error).toBeInstanceOf(NotFoundError));
        }
        expect(await sent(open)).toBe(before);
      }),
      { numRuns: cases(20) },
    );
  });
});
