import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Commit } from "../../ports/workspace.ts";
import { commitEpisode, monthEpisodes } from "./commit-episodes.ts";

let made = 0;

function commit(subject: string, more: Partial<Commit> = {}): Commit {
  made += 1;
  const id = made.toString(16).padStart(40, "0");
  const at = Date.parse("2026-05-04T10:00:00Z") + made * 60_000;
  return { id, at, author: "Ada", subject, body: "", files: ["src/auth/token.ts"], renames: [], ...more };
}

describe("an episode of a commit", () => {
  it("has the reason, the change and its files, at four lengths", () => {
    const change = commit("refactor(auth): replace JWT with sessions", {
      body: "Replaced JWT with sessions due to token size issues.\nDecided against shorter claims because proxies cut headers (ADR-012).",
      files: ["src/auth/session.ts", "src/auth/session.test.ts"],
    });
    expect(commitEpisode(change)).toMatchObject({
      kind: "episode",
      title: "Replace JWT with sessions",
      text: expect.stringContaining("Decided against shorter claims because proxies cut headers (ADR-012)."),
      levels: {
        compressed: `Replace JWT with sessions (2026-05-04, ${change.id.slice(0, 12)})`,
        index: "replace_jwt_sessions",
      },
      validFrom: change.at,
      artifacts: [
        { type: "commit", ref: change.id.slice(0, 12) },
        { type: "adr", ref: "ADR-012" },
        { type: "file", ref: "src/auth/session.ts" },
        { type: "file", ref: "src/auth/session.test.ts" },
      ],
    });
  });

  it("is created for breaking changes and reverts, even without an explanation", () => {
    expect(commitEpisode(commit("feat(api)!: drop version 1"))?.text).toMatch(/^Drop version 1 .*\nBreaking change\./);
    expect(commitEpisode(commit('Revert "feat: add cache"'))).toBeDefined();
  });

  const EXPLAINED = "The old one is wrong because proxies cut long headers, and nobody noticed it for a year.";
  it.each([
    "fix: typo",
    "Fix a typo in the guide",
    "Merge branch 'main'",
    "chore(deps): bump zod from 1 to 2",
    "v1.2.3",
    "wip",
    "Cleanup #12",
    'Revert "Revert "feat: add cache""',
    "style: format all files",
  ])("is not made of housekeeping: %s", (subject) => {
    expect(commitEpisode(commit(subject, { body: EXPLAINED }))).toBeUndefined();
  });

  it.each([
    ["documents", ["docs/guide.md", "README.rst", "CHANGES"]],
    ["tests", ["src/cart/cart.test.ts", "tests/test_cart.py"]],
  ])("is not made of a change to %s alone", (_, files) => {
    expect(commitEpisode(commit("Explain totals", { body: EXPLAINED, files }))).toBeUndefined();
    expect(
      commitEpisode(commit("Explain totals", { body: EXPLAINED, files: [...files, "src/cart.ts"] })),
    ).toBeDefined();
  });

  it("is created for a decision record", () => {
    const files = ["docs/adr/0012-sessions.md"];
    expect(commitEpisode(commit("Record sessions", { body: EXPLAINED, files }))?.text).toContain(EXPLAINED);
  });

  it("omits references, subjects of other commits, sentences about tests, and repetitions", () => {
    const reverts = "This reverts commit 0123456789abcdef0123456789abcdef01234567.";
    const noise = [
      reverts,
      "Fixes ana/shop#12 and #13.",
      "Closes https://example.com/ana/shop/issues/12",
      "🤖 Generated with [An Agent](https://example.com)",
      "Tests: 5 cases pass, and two are new because the old ones were wrong.",
      "fix(cart): use the right currency because it was wrong",
    ];
    const body = [EXPLAINED, ...noise, EXPLAINED].join("\n\n");
    expect(commitEpisode(commit("Show totals", { body }))?.text).toBe(
      `Show totals (2026-05-04)\n${EXPLAINED}\nChanged: src/auth/token.ts`,
    );
    expect(commitEpisode(commit('Revert "feat: add cache"', { body: reverts }))?.text).not.toContain("0123456");
  });

  it("is not created for a change without a reason", () => {
    expect(commitEpisode(commit("feat(cart): show totals", { body: "Added a column." }))).toBeUndefined();
  });

  it("omits the commit list of a squash merge", () => {
    const list = "* feat(cart): show totals\n\n* fix(cart): use the right currency because it was wrong\n\n* add tests";
    expect(commitEpisode(commit("feat(cart): show totals (#12)", { body: list }))).toBeUndefined();
    const episode = commitEpisode(commit("feat(cart): show totals (#12)", { body: `${list}\n\n${EXPLAINED}` }));
    expect(episode?.title).toBe("Show totals");
    expect(episode?.text).toContain(EXPLAINED);
    expect(episode?.text).not.toContain("currency");
    expect(episode?.artifacts).toContainEqual({ type: "pr", ref: "#12" });
  });

  it("is not created for commits of bots", () => {
    const body = "Replaced one thing with another. Because it is better that way for everybody.";
    expect(commitEpisode(commit("fix: x", { author: "renovate[bot]", body }))).toBeUndefined();
  });

  it("contains no email addresses, trailers or secrets", () => {
    const key = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    const body = `Switched to the new key ${key} because the old one leaked.\nAsk ada@example.com about it.\n\nSigned-off-by: Ada <ada@example.com>\nCo-authored-by: Ben <ben@example.org>`;
    const told = JSON.stringify(
      commitEpisode(commit("fix(ci): rotate keys", { body, author: "Ada <ada@example.com>" })),
    );
    expect(told).toContain("Switched to the new key");
    expect(told).not.toMatch(/@example|Signed-off|Co-authored|Ab3dEf6h/);
  });
});

describe("monthly episodes", () => {
  it("describe the changes of an area, newest first", () => {
    const [month, ...more] = monthEpisodes([
      commit("fix(cart): round totals"),
      commit("feat(cart): show tax"),
      commit("refactor(cart): split the total"),
      commit("docs(cart): explain tax"),
      commit("fix(auth): one alone"),
    ]);
    expect(more).toEqual([]);
    expect(month).toMatchObject({
      title: "cart 2026-05",
      text: "cart in 2026-05: 3 changes\n- feat: show tax\n- refactor: split the total\n- fix: round totals",
      levels: {
        summary: "cart in 2026-05: 3 changes, among them: show tax; split the total; round totals.",
        compressed: "cart 2026-05: show tax, split the total",
        index: "cart_2026_05",
      },
    });
  });

  it("are grouped by folder if commits name no scope", () => {
    const files = ["src/billing/a.ts", "src/billing/b.ts", "README.md"];
    const months = monthEpisodes(
      ["Add invoices", "Round totals", "Split the ledger"].map((one) => commit(one, { files })),
    );
    expect(months.map(({ title }) => title)).toEqual(["billing 2026-05"]);
  });

  it("have the same ids and texts for any order of commits", () => {
    const history = fc.array(
      fc.record({
        scope: fc.constantFrom("a", "b"),
        type: fc.constantFrom("feat", "fix"),
        day: fc.integer({ min: 1, max: 60 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(history, (all) => {
        const commits = all.map(({ scope, type, day }, i) =>
          commit(`${type}(${scope}): change ${i}`, { id: `${i}`.padStart(40, "0"), at: Date.UTC(2026, 0, day) }),
        );
        expect(monthEpisodes(commits.toReversed())).toEqual(monthEpisodes(commits));
      }),
    );
  });
});
