import process from "node:process";
import { afterEach, expect, it, vi } from "vitest";
import { confirmChanges } from "./confirm.ts";

afterEach(() => vi.unstubAllGlobals());

/** A standard input that is a terminal, or is not. */
function useInput(isTTY: boolean): void {
  vi.spyOn(process, "stdin", "get").mockReturnValue({ isTTY } as typeof process.stdin);
}

it.each([
  [true, "--json prints no question"],
  [false, "standard input is not a terminal"],
])("names the reason why it cannot ask, on a terminal: %s", async (isTTY, reason) => {
  useInput(isTTY);
  await expect(confirmChanges({ json: true })).rejects.toThrow(
    `Cannot ask for confirmation: ${reason}. Nothing was changed.`,
  );
  expect(await confirmChanges({ json: true, yes: true })).toBe(true);
});
