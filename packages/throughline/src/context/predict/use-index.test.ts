import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPath } from "./naming-habits.ts";
import { findSimilarPaths, UseIndex } from "./use-index.ts";

const anyPath = fc
  .array(fc.constantFrom("app", "groq", "chat", "test", "login"), { minLength: 1, maxLength: 4 })
  .map((words) => `${words.join("/")}.ts`);

describe("findKin", () => {
  it("finds the files that share the most with a path, rare words first", () => {
    const index = new UseIndex();
    for (let at = 0; at < 10; at += 1) index.add([`src/chat/part${at}/view.ts`]);
    index.add(["packages/groq/model.ts", "examples/groq-chat.ts"]);
    const [first, second] = findSimilarPaths(index, readPath("docs/groq-chat-tools.md")).map(
      ({ id }) => index.files[id]?.path,
    );
    expect([first, second]).toEqual(["examples/groq-chat.ts", "packages/groq/model.ts"]);
  });

  it("returns shares that add up to 1, of used files without the file itself", () => {
    fc.assert(
      fc.property(
        fc.array(anyPath, { maxLength: 8 }),
        fc.array(anyPath, { maxLength: 3 }),
        anyPath,
        (used, known, path) => {
          const index = new UseIndex();
          for (const one of known) index.know(one);
          for (const one of used) index.add([one]);
          const kin = findSimilarPaths(index, readPath(path));
          const paths = kin.map(({ id }) => index.files[id]?.path ?? "");
          expect(paths).not.toContain(path);
          expect(paths.every((one) => used.includes(one))).toBe(true);
          if (kin.length > 0) expect(kin.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
        },
      ),
    );
  });
});
