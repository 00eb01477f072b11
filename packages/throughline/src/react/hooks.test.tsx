// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import "./patient-queries.fixture.ts";
import { CompactionTracker } from "../chat/compact/compaction-tracker.ts";
import { openDevice } from "../chat/fact-book/fact-book.fixture.ts";
import type { ExtractionBatch } from "../chat/turn/extraction-trigger.ts";
import { openMemory } from "../memory/open-memory.fixture.ts";
import type { SessionEvent, SessionListener } from "../session/session-events.ts";
import { useCompactionStatus, useContextUsage, useMemoryExtraction, useMemoryFacts } from "./hooks.ts";

afterEach(cleanup);

/** The words that ship with the package are read from a file, which a page does not have. */
const embedder = {
  name: "none",
  dimensions: 1,
  embed: async (texts: readonly string[]) => texts.map(() => new Float32Array([1])),
};

/** Runs everything that is scheduled. */
const runTimers = () => act(() => vi.runAllTimersAsync());

function setVisibility(state: "visible" | "hidden"): void {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("useMemoryFacts", () => {
  it("shows the facts of the book, and refreshes when the tab becomes active", async () => {
    const device = await openDevice({ embedder });
    const [book, other] = [await device.open(), await device.open()];
    const { result, unmount } = renderHook(() => useMemoryFacts(book));
    await act(() => book.add({ text: "I live in Lisbon" }));
    expect(result.current.facts).toMatchObject([{ fact: "I live in Lisbon" }]);
    await other.add({ text: "I prefer tea" });
    expect(result.current.facts).toHaveLength(1);
    act(() => setVisibility("visible"));
    await waitFor(() => expect(result.current.facts).toHaveLength(2));
    unmount();
  });
});

describe("useContextUsage", () => {
  it("returns the parts of the last window of a session", async () => {
    const { throughline } = await openMemory({ embedder });
    const session = throughline.session("s1", { modelId: "gpt-4o", contextLimit: 8_000, outputReserve: 1_000 });
    const { result } = renderHook(() => useContextUsage(session, { contextLimit: 8_000 }));
    // The calls of a session run one after the other.
    await act(() => session.receipts(1));
    expect(result.current.usage).toBeNull();
    await session.append([{ role: "user", content: "Hello" }]);
    const { receipt } = await session.prepare({ system: "Be kind." });
    act(() => result.current.refresh());
    await waitFor(() => expect(result.current.usage?.used).toBe(receipt.tokens));
    expect(result.current.usage?.parts).toMatchObject({ memory: 0, summary: 0, history: 0, reply: 1_000 });
    const given = renderHook(() => useContextUsage(receipt, { contextLimit: 8_000 }));
    expect(given.result.current.usage).toEqual(result.current.usage);
  });
});

describe("useCompactionStatus", () => {
  it("reports a running compaction and the saved tokens", async () => {
    const { throughline } = await openMemory({ embedder });
    const session = throughline.session("s1", { modelId: "gpt-4o", contextLimit: 8_000, outputReserve: 1_000 });
    const { result } = renderHook(() => useCompactionStatus(session));
    expect(result.current).toEqual({ isCompacting: false, lastCompaction: null });
    const texts = Array.from({ length: 41 }, (_, n) => `Message ${n} ${"word ".repeat(150)}`);
    await session.append(
      texts.map((content, n) => (n % 2 === 0 ? { role: "user", content } : { role: "assistant", content })),
    );
    const turn = await act(() => session.prepare());
    expect(turn.wasCompacted).toBe(true);
    expect(result.current).toMatchObject({ isCompacting: false, lastCompaction: { stage: "stage1", by: "compact" } });
    expect(result.current.lastCompaction?.savedTokens).toBeGreaterThan(1_000);
  });

  it("reports memories omitted from a full window", () => {
    const tracker = new CompactionTracker({ on: () => () => undefined });
    const { result } = renderHook(() => useCompactionStatus(tracker));
    const tokens = { before: 900, afterPrune: 900, afterCompact: 900, final: 700 };
    act(() => tracker.note({ stage: "stage2", tokens }));
    expect(result.current.lastCompaction).toEqual({ stage: "stage2", savedTokens: 200, by: "turn" });
  });

  it("resets for another session, and unsubscribes from the first one", () => {
    const sources = [new Set<SessionListener>(), new Set<SessionListener>()].map((listeners) => ({
      listeners,
      on: (listener: SessionListener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    }));
    const [first, second] = sources;
    const { result, rerender } = renderHook(({ session }) => useCompactionStatus(session), {
      initialProps: { session: first },
    });
    const data = { tokensBefore: 9, modelLimit: 9, reason: "overflow" } as const;
    const started: SessionEvent = { type: "compaction:start", sessionId: "s", data };
    act(() => first?.listeners.forEach((listener) => void listener(started)));
    expect(result.current.isCompacting).toBe(true);
    rerender({ session: second });
    expect(result.current.isCompacting).toBe(false);
    expect(first?.listeners.size).toBe(0);
  });
});

describe("useMemoryExtraction", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const said = (count: number, name = "m") => Array.from({ length: count }, (_, n) => ({ id: `${name}${n}` }));

  function watch(initial: { id?: string; messages: readonly { id: string }[] }) {
    const batches: ExtractionBatch<{ id: string }>[] = [];
    const extract = async (batch: ExtractionBatch<{ id: string }>) => batches.push(batch);
    const hook = renderHook(
      ({ id = "c1", messages }: typeof initial) => useMemoryExtraction(id, messages, { extract }),
      { initialProps: initial },
    );
    const read = () => batches.map(({ conversationId, fresh }) => `${conversationId}:${fresh.length}`);
    return { ...hook, read };
  }

  it("extracts every five messages", async () => {
    const { result, rerender, read } = watch({ messages: said(4) });
    await runTimers();
    expect(result.current).toMatchObject({ isExtracting: false, lastExtraction: null });
    for (let count = 5; count <= 12; count += 1) {
      rerender({ messages: said(count) });
      await runTimers();
    }
    expect(read()).toEqual(["c1:5", "c1:5"]);
    expect(result.current.lastExtraction).toBeTypeOf("number");
  });

  it.each([
    ["the tab is hidden", () => setVisibility("hidden")],
    ["the page is left", () => window.dispatchEvent(new Event("beforeunload"))],
    ["the page is put away", () => window.dispatchEvent(new Event("pagehide"))],
  ])("extracts at once when %s, and once", async (_, leave) => {
    const { read } = watch({ messages: said(3) });
    act(leave);
    expect(read()).toEqual(["c1:3"]);
    await runTimers();
    act(leave);
    await runTimers();
    expect(read()).toEqual(["c1:3"]);
  });

  it("extracts nothing when the tab is shown, and nothing from a single message", async () => {
    const { rerender, read } = watch({ messages: said(1) });
    act(() => setVisibility("hidden"));
    rerender({ messages: said(3) });
    act(() => setVisibility("visible"));
    await runTimers();
    expect(read()).toEqual([]);
  });

  it("extracts when another conversation is opened, and not again on return", async () => {
    const { rerender, unmount, read } = watch({ id: "a", messages: said(3, "a") });
    rerender({ id: "b", messages: said(2, "b") });
    await runTimers();
    expect(read()).toEqual(["a:3"]);
    rerender({ id: "a", messages: said(3, "a") });
    await runTimers();
    expect(read()).toEqual(["a:3", "b:2"]);
    unmount();
    await runTimers();
    expect(read()).toEqual(["a:3", "b:2"]);
  });

  it("extracts and unsubscribes on unmount", async () => {
    const { unmount, read } = watch({ messages: said(3) });
    unmount();
    expect(read()).toEqual([]);
    await runTimers();
    expect(read()).toEqual(["c1:3"]);
    setVisibility("hidden");
    await runTimers();
    expect(read()).toEqual(["c1:3"]);
  });

  it("extracts on request in the next task", async () => {
    const { result, read } = watch({ messages: said(2) });
    act(() => result.current.triggerExtraction());
    expect(read()).toEqual([]);
    await runTimers();
    expect(read()).toEqual(["c1:2"]);
  });

  it("ignores the double mount of React's strict mode", async () => {
    let times = 0;
    const messages = said(3);
    const extract = async () => {
      times += 1;
    };
    renderHook(() => useMemoryExtraction("c1", messages, { extract }), { wrapper: StrictMode });
    await runTimers();
    expect(times).toBe(0);
  });
});
