import { describe, expect, it } from "vitest";
import { CORRECTION_SENTENCES, ORDINARY_SENTENCES, RULE_SENTENCES } from "./rule-markers.fixture.ts";
import { bareCorrection, isCorrection, isRule } from "./rule-markers.ts";

describe("isRule", () => {
  it("finds rules and preferences in many languages", () => {
    expect(RULE_SENTENCES.filter((sentence) => !isRule(sentence))).toEqual([]);
  });

  it("does not match one-time orders, questions, facts and reports", () => {
    expect(ORDINARY_SENTENCES.filter(isRule)).toEqual([]);
  });

  it("ignores capitals, accents and the kind of apostrophe", () => {
    expect(["NEVER PUSH TO MAIN.", "nao altere a API.", "Don’t add comments.", "prefiero tabs"].every(isRule)).toBe(
      true,
    );
  });
});

describe("isCorrection", () => {
  it("finds corrections in many languages", () => {
    expect(CORRECTION_SENTENCES.filter((sentence) => !isCorrection(sentence))).toEqual([]);
  });

  it("does not match orders, questions and facts", () => {
    expect(ORDINARY_SENTENCES.filter(isCorrection)).toEqual([]);
  });
});

describe("bareCorrection", () => {
  it.each([
    ["No. Use tabs.", 4],
    ["That's wrong. Use it.", 14],
    ["不对。用8080。", 3],
    ["Nothing. Here.", 0],
    ["No, use tabs. Now.", 0],
  ])("measures a sentence that only says no: %j", (text, length) => {
    expect(bareCorrection(text)).toBe(length);
  });
});
