import { describe, expect, it } from "vitest";
import { isSendKey } from "./growing-textarea.tsx";

const enter = { key: "Enter", shiftKey: false, altKey: false, isComposing: false, keyCode: 13 };

describe("isSendKey", () => {
  it("sends on Enter", () => {
    expect(isSendKey(enter)).toBe(true);
  });

  it.each([
    ["with Shift, which makes a new line", { shiftKey: true }],
    ["with Alt", { altKey: true }],
    ["while a word is being composed", { isComposing: true }],
    ["that ends a composition in Safari", { keyCode: 229 }],
    ["that is another key", { key: "/" }],
  ])("does not send on a press %s", (_, changes) => {
    expect(isSendKey({ ...enter, ...changes })).toBe(false);
  });
});
