import { describe, expect, it } from "vitest";
import { DEFAULT_SHORTCUT, type KeyPress, matchesShortcut, readShortcut, showShortcut } from "./shortcut.ts";

const press = (keys: Partial<KeyPress>): KeyPress => ({
  key: "m",
  code: "KeyM",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...keys,
});

describe("the shortcut of the panel", () => {
  it.each([
    ["Ctrl+Shift+M", press({ key: "M", ctrlKey: true, shiftKey: true })],
    ["Cmd+Shift+M", press({ key: "m", metaKey: true, shiftKey: true })],
    ["the same key in another script", press({ key: "Ь", ctrlKey: true, shiftKey: true })],
  ])("is matched by %s", (_, pressed) => {
    expect(matchesShortcut(pressed, DEFAULT_SHORTCUT)).toBe(true);
  });

  it("is not matched without one of its keys, or with one more", () => {
    expect(matchesShortcut(press({ ctrlKey: true }), DEFAULT_SHORTCUT)).toBe(false);
    expect(matchesShortcut(press({ ctrlKey: true, shiftKey: true, altKey: true }), DEFAULT_SHORTCUT)).toBe(false);
  });

  it("cannot be a key that types text or leaves the field", () => {
    for (const keys of [{}, { shiftKey: true }, { key: "Control", ctrlKey: true }, { key: "Tab", ctrlKey: true }]) {
      expect(readShortcut(press(keys))).toBeUndefined();
    }
    expect(readShortcut(press({ key: "F9", code: "F9" }))).toBe("F9");
    expect(readShortcut(press({ key: "µ", altKey: true }))).toBe("Alt+M");
  });

  it("is shown with the key names of the platform", () => {
    expect(showShortcut(DEFAULT_SHORTCUT, false)).toBe("Ctrl+Shift+M");
    expect(showShortcut(DEFAULT_SHORTCUT, true)).toBe("⌘⇧M");
  });
});
