import { DeviceSetting } from "../app/device-settings.ts";

/** The part of a keyboard event that a shortcut needs. */
export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** A shortcut in words: `Mod` is Cmd on Apple's machines and Ctrl elsewhere. */
export const DEFAULT_SHORTCUT = "Mod+Shift+M";

const ALONE = new Set(["Control", "Meta", "Alt", "Shift", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"]);
/** Keys that leave a field. */
const TAKEN = new Set(["Escape", "Tab", "Enter"]);

/** The pressed keys in words. `undefined` if they are no shortcut: without Ctrl, Cmd or Alt it is typing. */
export function readShortcut(press: KeyPress): string | undefined {
  if (ALONE.has(press.key) || TAKEN.has(press.key)) return undefined;
  const hasMod = press.ctrlKey || press.metaKey;
  if (!hasMod && !press.altKey && !/^F\d{1,2}$/.test(press.key)) return undefined;
  const parts = [hasMod && "Mod", press.altKey && "Alt", press.shiftKey && "Shift", keyOf(press)];
  return parts.filter(Boolean).join("+");
}

export function matchesShortcut(press: KeyPress, shortcut: string): boolean {
  return readShortcut(press) === shortcut;
}

/** A shortcut for display: "Ctrl+Shift+M", or "⌘⇧M" on Apple's machines. */
export function showShortcut(shortcut: string, isApple = isAppleMachine()): string {
  if (!isApple) return shortcut.replace("Mod", "Ctrl");
  return shortcut.replace("Mod", "⌘").replace("Alt", "⌥").replace("Shift", "⇧").replaceAll("+", "");
}

/** A shortcut in the form of `aria-keyshortcuts`. */
export function ariaShortcut(shortcut: string): string {
  return shortcut.replace("Mod", isAppleMachine() ? "Meta" : "Control");
}

/** The key on the keyboard: with Alt, or in another script, the letter that it gives may be any. */
function keyOf({ key, code }: KeyPress): string {
  const [, letter] = /^(?:Key|Digit)([A-Z0-9])$/.exec(code) ?? [];
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return letter ?? (key === " " ? "Space" : key);
}

function isAppleMachine(): boolean {
  return typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);
}

/** The shortcut that opens the panel, the same in all tabs. */
export const savedShortcut = new DeviceSetting<string>({
  name: "throughline.panel.shortcut",
  parse: (stored) => stored || DEFAULT_SHORTCUT,
  format: (shortcut) => shortcut,
  isShared: true,
});
