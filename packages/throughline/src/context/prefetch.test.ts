import { describe, expect, it } from "vitest";
import type { Embedder } from "../ports/embedder.ts";
import type { AssembledContext, PredictInput, Prediction, Signal } from "./context-api.ts";
import type { PredictorPort } from "./context-engine.ts";
import { openContext, openProject, withPrediction } from "./open-context.fixture.ts";
import type { Learned } from "./predict/history-store.ts";

/** A predictor with a fixed prediction. It records its inputs. */
class Foretelling implements PredictorPort {
  readonly asked: PredictInput[] = [];
  readonly heard: Signal[] = [];
  prediction: Prediction = { memories: [], files: [], confidence: 0 };
  failure: Error | undefined;

  async predict(input: PredictInput): Promise<Prediction> {
    this.asked.push(input);
    if (this.failure !== undefined) throw this.failure;
    return this.prediction;
  }

  async observe(signal: Signal): Promise<void> {
    this.heard.push(signal);
  }

  async lastSession(): Promise<undefined> {
    return undefined;
  }

  async learnHistory(): Promise<Learned> {
    return { read: 0, kept: 0 };
  }

  async forgetSession(): Promise<void> {
    await Promise.resolve();
  }
}

const LOGIN = "src/auth/login.ts";

describe("a prediction", () => {
  it("is recomputed after learning or forgetting", async () => {
    const source = new Foretelling();
    const context = withPrediction(await openContext(), source);
    const assemble = () => context.assemble({ signals: { currentFile: LOGIN } });
    for (let times = 0; times < 2; times += 1) await assemble();
    expect(source.asked).toHaveLength(1);
    await context.learnHistory();
    await assemble();
    await context.forgetSession("s1");
    await assemble();
    expect(source.asked).toHaveLength(3);
  });

  it("puts memories above a threshold into the relevant tier", async () => {
    const opened = await openContext();
    const { memory: useful } = await opened.memory.remember({ text: "The price table is cached for an hour." });
    const { memory: useless } = await opened.memory.remember({ text: "The office has two doors." });
    const source = new Foretelling();
    source.prediction = {
      memories: [
        { memory: useless, confidence: 0.05, reasons: ["opened together once"] },
        { memory: useful, confidence: 0.8, reasons: ["opened together"] },
      ],
      files: [],
      confidence: 0.8,
    };
    const { receipt } = await withPrediction(opened, source).assemble({ signals: { currentFile: "src/price.ts" } });
    const told = receipt.items.filter(({ tier }) => tier === "relevant");
    expect(told).toMatchObject([{ id: useful.id, rule: "predicted", reasons: ["opened together"] }]);
    expect(source.asked).toMatchObject([{ fileOpened: "src/price.ts" }]);
  });

  it("selects memories about the predicted files", async () => {
    const opened = await openContext();
    const { memory } = await opened.memory.remember({ text: "Rounding is done in src/money/round.ts only." });
    const source = new Foretelling();
    source.prediction = {
      memories: [],
      files: [{ path: "src/money/round.ts", confidence: 0.7, reasons: [] }],
      confidence: 0.7,
    };
    const { receipt } = await withPrediction(opened, source).assemble({ signals: { currentFile: "src/price.ts" } });
    expect(receipt.items.find(({ rule }) => rule === "dependency")?.id).toBe(memory.id);
  });

  it("that fails does not affect other memories, and is noted in the receipt", async () => {
    const opened = await openProject();
    const source = new Foretelling();
    const context = withPrediction(opened, source);
    const before = await context.assemble({ signals: { currentFile: LOGIN } });
    source.failure = new Error("out of order");
    const { memory: moon } = await opened.memory.remember({ text: "The moon is far away." });
    const after = await context.assemble({ signals: { currentFile: LOGIN } });
    expect(after.receipt.notes).toEqual(["No predictions: out of order"]);
    const told = ({ receipt }: AssembledContext) =>
      receipt.items.filter(({ tier, id }) => tier !== "index" && id !== moon.id);
    expect(told(after)).toEqual(told(before));
    await expect(context.predict({ fileOpened: LOGIN })).rejects.toThrow("out of order");
    await expect(context.prefetch({ fileOpened: LOGIN })).resolves.toBeUndefined();
  });
});

describe("a signal", () => {
  it("is learned, and its prefetched prediction is used without another call", async () => {
    const opened = await openProject();
    const source = new Foretelling();
    const context = withPrediction(opened, source);
    await context.prefetch({ fileOpened: `./${LOGIN}`, sessionId: "s1" });
    expect(source.heard).toEqual([{ fileOpened: `./${LOGIN}`, sessionId: "s1" }]);
    const asked = source.asked.length;
    await context.assemble({ signals: { currentFile: LOGIN, activity: "debugging" } });
    await context.assemble({ signals: { sessionId: "s1" } });
    expect(source.asked.length).toBe(asked);
    await context.assemble({ signals: { currentFile: "src/mail/store.ts" } });
    expect(source.asked.length).toBe(asked + 1);
  });

  it("invalidates its prefetched prediction after a write or in another hour", async () => {
    const opened = await openProject();
    const source = new Foretelling();
    const context = withPrediction(opened, source);
    await context.prefetch({ fileOpened: LOGIN });
    const asked = source.asked.length;
    await opened.memory.remember({ text: "The moon is far away." });
    await context.assemble({ signals: { currentFile: LOGIN } });
    expect(source.asked.length).toBe(asked + 1);
    opened.clock.pass(3_600_000);
    await context.assemble({ signals: { currentFile: LOGIN } });
    expect(source.asked.length).toBe(asked + 2);
  });

  it("yields the same context as without prefetching", async () => {
    const opened = await openProject();
    const ready = withPrediction(opened, new Foretelling());
    await ready.prefetch({ fileOpened: LOGIN });
    const options = { signals: { currentFile: LOGIN }, message: "Let login remember a device" };
    const { context } = await withPrediction(opened, new Foretelling()).assemble(options);
    expect((await ready.assemble(options)).context).toBe(context);
  });
});

describe("an embedder that fails", () => {
  it("is noted, and search uses words until it works again", async () => {
    const { memory: first, store, clock } = await openContext();
    await first.remember({ text: "The dentist's number is in the blue book." });
    let isBroken = true;
    const vector = new Float32Array([1]);
    const embedder: Embedder = {
      name: "moody",
      dimensions: 1,
      embed: async (texts) => {
        if (isBroken) throw new Error("moody");
        return texts.map(() => vector);
      },
    };
    const { context } = await openContext({ userId: "ada", projectId: "shop", store, clock, embedder });
    const broken = await context.assemble({ message: "Where is the dentist's number?" });
    expect(broken.receipt.notes).toEqual([expect.stringContaining("The embedder failed")]);
    expect(broken.context).toContain("blue book");
    isBroken = false;
    expect((await context.assemble({ message: "Where is the dentist's number?" })).receipt.notes).toEqual([]);
  });
});
