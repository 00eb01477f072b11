import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../internal/find-secrets.ts";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import { boundLevels } from "../../memory/levels/bound-levels.ts";
import type { Message } from "../../message/message.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { anyWork, edited, inSession, ran } from "./session.arbitrary.ts";
import { SessionStory } from "./session-story.ts";
import { type TellOptions, tellEpisode } from "./tell-episode.ts";
import { withoutSecrets } from "./without-secrets.ts";

function episodesOf(messages: readonly Message[], options: TellOptions = {}) {
  const story = new SessionStory();
  for (const message of messages) story.add(withoutSecrets(message));
  return story.tasks.map((task) => tellEpisode(task, options));
}

const AUTH = [
  user("Debug the auth flow, please: people are logged out at midnight."),
  ran("pnpm test auth", "!AssertionError: expected 401 to be 200"),
  edited("/app/src/auth/expiry.ts"),
  edited("/app/src/auth/expiry.test.ts"),
  ran("pnpm test auth"),
  assistant(
    "Debugged auth flow. Root cause: token expiry check used wrong timezone. Fixed by normalizing to UTC. Added regression test.",
  ),
];

describe("an episode", () => {
  it("is brought down to cause and fix, as a person would", () => {
    const [episode] = episodesOf(inSession("s", AUTH), { folder: "/app" });
    expect(episode?.levels).toMatchObject({ compressed: "auth_fix: tz→utc, +test", index: "auth_tz_fix" });
    expect(episode?.levels.summary).toContain("Fixed by normalizing to UTC.");
  });

  it("tells all of it: what was asked for, changed, went wrong and helped, and how it ended", () => {
    const [episode] = episodesOf(inSession("s", AUTH), { folder: "/app" });
    expect(episode?.levels.full.split("\n")).toEqual([
      "Debug the auth flow, please: people are logged out at midnight. (2026-05-04)",
      "Asked: Debug the auth flow, please: people are logged out at midnight.",
      "Changed: src/auth/expiry.ts, src/auth/expiry.test.ts",
      "Failed: pnpm test auth: AssertionError: expected 401 to be 200 → worked after changes to expiry.ts, expiry.test.ts",
      "Ran: `pnpm test auth` ×2",
      expect.stringMatching(/^In the end: Debugged auth flow\. .* Added regression test\.$/),
    ]);
    expect(episode?.artifacts).toEqual([
      { type: "file", ref: "src/auth/expiry.ts" },
      { type: "file", ref: "src/auth/expiry.test.ts" },
    ]);
  });

  it("goes by what was committed, its scope and its kind", () => {
    const [episode] = episodesOf(
      inSession("s", [
        user("yes, go on with what we said"),
        edited("/app/src/cart/total.ts"),
        ran("git commit -am x", "[main 1a2b3c4] feat(cart): show totals with tax\n"),
        assistant("Committed. The cart shows totals with tax now."),
      ]),
      { folder: "/app" },
    );
    expect(episode).toMatchObject({
      title: "Show totals with tax",
      levels: { compressed: "cart_add: show totals with tax", index: "cart_totals_add" },
      artifacts: [
        { type: "commit", ref: "1a2b3c4" },
        { type: "file", ref: "src/cart/total.ts" },
      ],
    });
  });

  it("goes by the session's own title where it has one, and says what is left open", () => {
    const [episode] = episodesOf(
      inSession("s", [user("Look at the failing export job"), ran("make export", "!Error: timed out after 60 s")]),
      {
        title: "Export job times out",
      },
    );
    expect(episode?.title).toBe("Export job times out");
    expect(episode?.levels.full).toMatch(/\(open\)[\s\S]*\nLeft open\.$/);
  });

  it("recognises decision records that were written", () => {
    const [episode] = episodesOf(
      inSession("s", [
        user("Write down why we use sessions"),
        edited("/app/docs/adr/0012-sessions.md"),
        assistant("Wrote it down in the record as agreed."),
      ]),
      { folder: "/app" },
    );
    expect(episode?.artifacts).toContainEqual({ type: "adr", ref: "ADR-0012" });
  });

  it("holds no secrets, whoever said them", () => {
    const key = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    const episodes = episodesOf(
      inSession("s", [
        user(`Use ${key} for the deploy`),
        ran(`KEY=${key} ./deploy.sh`, `!bad key ${key}`),
        assistant(`Set the key ${key} in the vault of the project.`),
      ]),
    );
    expect(JSON.stringify(episodes)).not.toContain("Ab3dEf6hIj9k");
  });

  it("is bounded, ever shorter, on few lines and the same every time", () => {
    fc.assert(
      fc.property(anyWork, (messages) => {
        const episodes = episodesOf(messages, { folder: "/app" });
        expect(episodesOf(messages, { folder: "/app" })).toEqual(episodes);
        for (const { levels, title } of episodes) {
          const { full, summary, compressed, index } = boundLevels(levels.full, levels);
          const tokens = [full, summary, compressed, index].map(countTokens);
          expect(tokens).toEqual(tokens.toSorted((a, b) => b - a));
          expect(full.length).toBeLessThanOrEqual(8_000);
          expect(countTokens(levels.summary)).toBeLessThanOrEqual(120);
          expect(levels.index).toMatch(/^[\p{L}\p{N}_]{1,60}$/u);
          expect([title, levels.summary, compressed].join("")).not.toMatch(/\n/);
          expect(findSecrets(full)).toEqual([]);
        }
      }),
    );
  });
});
