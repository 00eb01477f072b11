import { StoreError, type StoreProblem } from "../errors/store-error.ts";
import { sameJson } from "../internal/json.ts";

/** Fails unless it is so. `fact` says what should be, in a sentence. */
export function assert(isSo: boolean, fact: string): void {
  if (!isSo) throw new Error(`It does not hold that ${fact}.`);
}

/** Fails unless both are the same plain data, bytes and maps included. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [spelled(actual), spelled(expected)];
  if (!sameJson(found, wanted)) throw new Error(`${what}: wanted ${shown(wanted)}, found ${shown(found)}.`);
}

/** Fails unless the promise is rejected with that problem. */
export async function assertRefused(result: Promise<unknown>, problem: StoreProblem, what: string): Promise<void> {
  const error = await result.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const found = error instanceof StoreError ? error.problem : String(error);
  if (found !== problem) throw new Error(`${what}: wanted a StoreError "${problem}", found ${found}.`);
}

/** Asks again until it is so, for as long as a slow machine may need. */
export async function eventually(isSo: () => boolean | Promise<boolean>, fact: string): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    if (await isSo()) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  throw new Error(`It did not come to hold that ${fact}.`);
}

/** Spelled out in JSON's terms, without the fields that are undefined. */
function spelled(value: unknown): unknown {
  if (value instanceof Uint8Array) return { kind: "bytes", bytes: [...value] };
  if (value instanceof Map) return { kind: "map", entries: [...value].sort().map(spelled) };
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, spelled(field)]));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}
