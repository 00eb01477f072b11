import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Calibration, calibrationRatio, observeUsage } from "./calibration.ts";

const observeAll = (ratios: readonly number[], modelId = "m"): Calibration =>
  ratios.reduce<Calibration>(
    (state, ratio) => observeUsage(state, { modelId, counted: 1_000, reported: 1_000 * ratio }),
    {},
  );

describe("calibration", () => {
  it("is empty before the first report", () => {
    expect(calibrationRatio({}, "m")).toBeUndefined();
    expect(calibrationRatio({}, "constructor")).toBeUndefined();
  });

  it("converges to the ratio that a model reports", () => {
    expect(calibrationRatio(observeAll(new Array(30).fill(1.18)), "m")).toBeCloseTo(1.18);
  });

  it("follows a higher report at once, and a lower one slowly", () => {
    expect(calibrationRatio(observeAll([1.1, 1.1, 1.1, 1.4]), "m")).toBeCloseTo(1.4);
    expect(calibrationRatio(observeAll([1.4, 1.4, 1.4, 1.1]), "m")).toBeGreaterThan(1.3);
  });

  it("stays within the reported range", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.5, max: 3, noNaN: true }), { minLength: 1 }), (ratios) => {
        const ratio = calibrationRatio(observeAll(ratios), "m") ?? Number.NaN;
        expect(ratio).toBeGreaterThanOrEqual(Math.min(...ratios) - 1e-9);
        expect(ratio).toBeLessThanOrEqual(Math.max(...ratios) + 1e-9);
      }),
    );
  });

  it("ignores reports that cannot be about the same request", () => {
    const state = observeAll([1.1]);
    expect(observeUsage(state, { modelId: "m", counted: 1_000, reported: 9_000 })).toBe(state);
    expect(observeUsage(state, { modelId: "m", counted: 10, reported: 12 })).toBe(state);
    expect(observeUsage(state, { modelId: "m", counted: 0, reported: 0 })).toBe(state);
    expect(observeUsage(state, { modelId: "m", counted: Number.NaN, reported: 5 })).toBe(state);
  });

  it("keeps models separate and survives storage", () => {
    const state = { ...observeAll([1.2], "a"), ...observeAll([0.9], "b") };
    expect(calibrationRatio(JSON.parse(JSON.stringify(state)), "a")).toBeCloseTo(1.2);
    expect(calibrationRatio(state, "b")).toBeCloseTo(0.9);
  });
});
