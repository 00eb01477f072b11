import type { SettingStorage } from "../model-settings.ts";

/** An in-memory `localStorage` for one test. */
export function memoryStorage(): SettingStorage & { all(): string } {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    all: () => JSON.stringify([...kept]),
  };
}
