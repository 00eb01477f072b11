import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { gzipParts } from "../../../../tools/package/gzip-parts.mjs";
import { openPackagedFile } from "./packaged-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "throughline-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const content = Uint8Array.from({ length: 100_000 }, (_, at) => (at * at) >> 7);

function written(bytes: Uint8Array): URL {
  const file = path.join(folder, "data.bin");
  writeFileSync(file, bytes);
  return pathToFileURL(file);
}

describe("openPackagedFile", () => {
  it.each([
    ["a file in parts", gzipParts(content)],
    ["a gzip file", gzipSync(content)],
    ["a file that is not compressed", content],
  ])("reads any range of %s", async (_, bytes) => {
    const url = written(bytes);
    const range = fc.tuple(fc.nat(content.length), fc.nat(content.length));
    await fc.assert(
      fc.asyncProperty(fc.array(range, { maxLength: 5 }), async (ranges) => {
        const source = await openPackagedFile(url);
        expect(source.length).toBe(content.length);
        for (const [a, b] of ranges) {
          const [start, end] = [Math.min(a, b), Math.max(a, b)];
          expect(Buffer.compare(source.read(start, end), content.subarray(start, end))).toBe(0);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("a file in parts", () => {
  it("is a gzip file like any other", () => {
    expect(Buffer.compare(gunzipSync(gzipParts(content)), content)).toBe(0);
  });
});
