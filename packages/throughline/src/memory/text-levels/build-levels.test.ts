import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryKind, MemoryLevels } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { buildLevels } from "./build-levels.ts";

function isEverShorter({ full, summary, compressed, index }: MemoryLevels): boolean {
  const tokens = [full, summary, compressed, index].map(countTokens);
  return tokens.every((count, i) => i === 0 || count <= (tokens[i - 1] ?? 0));
}

describe("a fact", () => {
  it("is reduced to key and value, with its reasons", () => {
    const text =
      "The team decided to use PostgreSQL as the primary database because of its strong support for JSON operations and the team's existing expertise with it.";
    expect(buildLevels({ kind: "fact", text })).toEqual({
      full: text,
      summary: "DB: PostgreSQL (JSON support, team expertise)",
      compressed: "db:postgres(json,exp)",
      index: "db:pg",
    });
  });

  it("is reduced to the given key and value", () => {
    const levels = buildLevels({
      kind: "fact",
      text: "Tim mentioned that he strongly prefers using explicit error handling patterns with Result types instead of try-catch blocks, especially in TypeScript code where type safety is important.",
      key: "error_handling",
      value: "Result<T,E> over try-catch",
    });
    expect(levels.summary).toBe("error handling: Result<T,E> over try-catch");
    expect(levels.compressed).toBe("error_handling:Result<T,E>>try-catch");
    expect(levels.index).toBe("error_handling");
    expect(countTokens(levels.summary)).toBeLessThanOrEqual(12);
  });

  it("without a key stays readable: the report before it and the remark after it are dropped", () => {
    const text =
      "Tim mentioned that he strongly prefers using explicit error handling patterns with Result types instead of try-catch blocks, especially in TypeScript code where type safety is important.";
    const { full, compressed } = buildLevels({ kind: "fact", text });
    expect(full).toBe(text);
    expect(compressed).toBe(
      "tim strongly prefers using explicit err handling patterns with Result types instead of try-catch blocks",
    );
  });

  it.each([
    [
      "I'd rather have early returns than nested ifs",
      "Would rather have early returns than nested ifs",
      "early_returns_nested",
    ],
    ["I don't drink", "Does not drink", "drink"],
    [
      "we removed the session commands on purpose",
      "We removed the session commands on purpose",
      "removed_session_commands",
    ],
  ])("in the first person becomes one about the user: %s", (text, summary, index) => {
    expect(buildLevels({ kind: "fact", text })).toMatchObject({ full: text, summary, index });
  });

  it("keeps its meaning when shortened: paths, identifiers and prepositions stay", () => {
    const levels = (text: string) => buildLevels({ kind: "fact", text });
    expect(levels("The level is set by APP_LOG_LEVEL in config/dev.toml")).toMatchObject({
      compressed: "level is set by APP_LOG_LEVEL in config/dev.toml",
    });
    expect(levels("We can have drafts at .cache/drafts and no branch")).toMatchObject({
      compressed: "we can have drafts at .cache/drafts and no branch",
    });
    expect(levels("I also moved to throwaway clones last week")).toMatchObject({
      summary: "Also moved to throwaway clones last week",
      compressed: "also moved to throwaway clones last week",
    });
  });

  it("without a key keeps its significant words", () => {
    const { compressed, index } = buildLevels({ kind: "fact", text: "User once saw a comet over the big lake" });
    expect(compressed).toContain("comet");
    expect(index).not.toContain(" ");
  });

  it("marks omissions, and never ends with a negating word", () => {
    const compress = (text: string) => buildLevels({ kind: "fact", text }).compressed;
    expect(compress("Always run the linter before a commit, and never commit straight to main.")).toBe(
      "always run linter before commit and never commit straight to main",
    );
    for (const word of ["mustn't", "don’t", "nobody", "never"]) {
      const text = `Two reviewers merge green pull requests after lunch every single workday in spring and summer ${word} before seven o'clock.`;
      expect(compress(text)).toBe(
        "two reviewers merge green pull req after lunch every single workday in spring and summer …",
      );
    }
  });
});

describe("an episode", () => {
  it("is reduced to the change and its reason", () => {
    const summary = "Replaced JWT with sessions due to token size issues";
    expect(buildLevels({ kind: "episode", title: "Auth Refactor", text: summary })).toEqual({
      full: summary,
      summary,
      compressed: "auth: JWT→sessions (size)",
      index: "auth_refactor",
    });
  });

  it("is reduced to cause and fix", () => {
    const summary =
      "Debugged auth flow. Root cause: token expiry check used wrong timezone. Fixed by normalizing to UTC. Added regression test.";
    const text = `We looked at the login page. ${summary} Then there was lunch. The office was quiet all day long.`;
    expect(buildLevels({ kind: "episode", text })).toMatchObject({
      summary,
      compressed: "auth_fix: tz→utc, +test",
      index: "auth_tz_fix",
    });
  });
});

describe("an episode without a named fault", () => {
  it("keeps its title instead of single words of its cause and its fix", () => {
    const text =
      "The issue was maxRows = 50 which hid older entries. The fix checks the branch and disables filtering.";
    expect(buildLevels({ kind: "episode", title: "Show old entries", text }).compressed).toBe("show: Show old entries");
  });
});

describe("a workflow", () => {
  const hint = "deploy: test→build→stage→verify→prod";

  it("is one line of its steps", () => {
    const steps = ["test", "build", "stage", "verify", "prod"];
    const levels = buildLevels({
      kind: "workflow",
      title: "deploy",
      text: "How the app is brought to production.",
      steps,
    });
    expect(levels).toMatchObject({ compressed: hint, index: "deploy" });
    expect(levels.full).toContain("verify");
  });

  it("keeps its commands", () => {
    const text = "deploy: 1. npm test 2. npm run build 3. fly deploy 4. curl healthz";
    expect(buildLevels({ kind: "workflow", text }).compressed).toContain(
      "npm test→npm run build→fly deploy→curl healthz",
    );
  });

  it("finds its steps in prose", () => {
    const text = "Deploying: first test it, then build it, then stage it, then verify it, and finally prod.";
    expect(buildLevels({ kind: "workflow", title: "deploy", text }).compressed).toBe(hint);
    const list = "1. test\n2. build\n3. stage\n4. verify\n5. prod";
    expect(
      buildLevels({ kind: "workflow", title: "deploy", text: `How to bring it to production:\n${list}` }).compressed,
    ).toBe(hint);
  });
});

describe("a pattern", () => {
  it("is its template, one line of its parts, and a word", () => {
    const template = {
      route: "{method} /api/{resource}",
      validation: "zod_schema",
      error_handling: "typed_result",
      response: "json_envelope",
    };
    expect(
      buildLevels({ kind: "pattern", title: "API endpoint", text: "How endpoints are written here.", template }),
    ).toMatchObject({
      summary:
        "route: {method} /api/{resource}\nvalidation: zod_schema\nerror_handling: typed_result\nresponse: json_envelope",
      compressed: "endpoint: route→zod→result→json",
      index: "api_pattern",
    });
  });

  it("is one line of its steps if it has no template", () => {
    const steps = ["route", "validate", "handle", "respond"];
    expect(
      buildLevels({ kind: "pattern", title: "API endpoint", text: "Every endpoint does this in turn.", steps })
        .compressed,
    ).toBe("endpoint: route→validate→handle→respond");
  });
});

describe("any memory", () => {
  const kind = fc.constantFrom<MemoryKind[]>("fact", "episode", "pattern", "workflow");
  const words = fc.constantFrom(
    "User",
    "lives in",
    "Lisbon",
    "because of",
    "replaced",
    "with",
    "→",
    "😀",
    "fixed by",
    "1. ",
    ", then",
    "x".repeat(70),
    "日本語",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 40 }).map((parts) => parts.join(" ")),
  );
  const optional = fc.option(text, { nil: undefined });

  it("never grows from level to level, and is deterministic", () => {
    fc.assert(
      fc.property(
        kind,
        text,
        optional,
        optional,
        fc.option(fc.array(text, { maxLength: 4 }), { nil: undefined }),
        (kind, text, title, value, steps) => {
          const input = {
            kind,
            text,
            ...(title === undefined ? {} : { title }),
            ...(value === undefined ? {} : { key: "db", value }),
            ...(steps === undefined ? {} : { steps }),
          };
          const levels = buildLevels(input);
          expect(isEverShorter(levels)).toBe(true);
          expect(buildLevels(structuredClone(input))).toEqual(levels);
          if (levels.full !== "") expect([levels.summary, levels.compressed, levels.index]).not.toContain("");
          expect(levels.index.length).toBeLessThanOrEqual(50);
          expect(levels.compressed).not.toMatch(/[\n\u200b]/);
        },
      ),
    );
  });
});
