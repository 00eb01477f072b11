import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../internal/find-secrets.ts";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import { boundLevels } from "../../memory/text-levels/build-levels.ts";
import type { Message } from "../../message/message.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { describeEpisode, type EpisodeOptions } from "./describe-episode.ts";
import { anyWork, edited, inSession, ran } from "./session.arbitrary.ts";
import { withoutSecrets } from "./session-recorder.ts";
import { SessionStory } from "./session-story.ts";

function episodesOf(messages: readonly Message[], options: EpisodeOptions = {}) {
  const story = new SessionStory();
  for (const message of messages) story.add(withoutSecrets(message));
  return story.tasks.map((task) => describeEpisode(task, options));
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
  it("has its title, date and commit at each length", () => {
    const commit = ran("git commit -am x", "[main 1a2b3c4] fix(auth): compare expiry in UTC\n");
    const [episode] = episodesOf(inSession("s", [...AUTH, user("Please commit the fix of the expiry."), commit]));
    expect(episode?.title).toBe("Compare expiry in UTC");
    expect(episode?.levels).toMatchObject({
      summary: expect.stringMatching(/^Compare expiry in UTC \(2026-05-04, 1a2b3c4.*\)\. .*timezone/),
      compressed: expect.stringMatching(/^Compare expiry in UTC \(2026-05-04, 1a2b3c4/),
      index: "compare_expiry_utc",
    });
    expect(episode?.artifacts).toContainEqual({ type: "commit", ref: "1a2b3c4" });
  });

  it("contains outcome, request, findings, decisions and changes", () => {
    const [episode] = episodesOf(inSession("s", AUTH), { folder: "/app" });
    expect(episode?.levels.full.split("\n")).toEqual([
      "Debug the auth flow, please (2026-05-04)",
      "Outcome: Done (`pnpm test auth` passed).",
      "Asked: Debug the auth flow, please: people are logged out at midnight.",
      "Decided and found:",
      "- Root cause: token expiry check used wrong timezone.",
      "Changed: src/auth/expiry.ts, src/auth/expiry.test.ts",
    ]);
    expect(episode?.artifacts).toEqual([
      { type: "file", ref: "src/auth/expiry.ts" },
      { type: "file", ref: "src/auth/expiry.test.ts" },
    ]);
  });

  it("quotes decisions of the user with their results, without announcements and confirmations", () => {
    const [episode] = episodesOf(
      inSession("s", [
        ...AUTH,
        user("No, keep the local time in the log because support reads it. ok?"),
        edited("/app/src/auth/log.ts"),
        assistant(
          "Let me look at the log first. All tests pass. The log keeps the local time, since support compares it with tickets.",
        ),
      ]),
    );
    expect(episode?.levels.full).toContain(
      "“No, keep the local time in the log because support reads it.” The log keeps the local time, since support compares it with tickets.",
    );
    expect(episode?.levels.full).not.toMatch(/Let me look|All tests pass/);
  });

  it("names the command that fixed a failed check", () => {
    const [episode] = episodesOf(
      inSession("s", [
        user("Check the import of orders"),
        ran("pnpm test", "!Error: Cannot find module 'csv-reader'"),
        ran("pnpm install"),
        ran("pnpm test"),
      ]),
    );
    expect(episode?.levels.full).toMatch(/\nFailed: `pnpm test`: .*csv-reader.* → .*pnpm install/);
  });

  it("does not treat the same check with less output as a fix", () => {
    const [episode] = episodesOf(
      inSession("s", [
        user("Check the import of orders"),
        ran("pnpm test 2>&1", "!Error: Cannot find module 'csv-reader'"),
        ran("pnpm test 2>&1 | tail -50"),
      ]),
    );
    expect(episode?.levels.full).not.toContain("Failed:");
  });

  it("describes a long task in a few paragraphs that each begin with a request", () => {
    const findings = [
      ["invoices", "kept a private copy of the rates, which caused rounding errors at the end of each quarter"],
      ["footers", "printed the address of the old warehouse, because the template was compiled before the move"],
      ["currencies", "fell back to dollars whenever a country had two symbols, so Swiss customers saw wrong signs"],
      ["discounts", "were applied before shipping instead of after it, since two branches had been merged badly"],
      ["reminders", "went out on Sundays because the scheduler counted weekdays from zero and the calendar from one"],
      ["receipts", "lost their logo when the font server timed out, and nobody retried the download of the picture"],
      ["taxes", "ignored reduced percentages for books, because the lookup compared upper case with lower case codes"],
      ["refunds", "created a second ledger entry for partial amounts, which the nightly audit reported as fraud"],
    ];
    const messages = findings.flatMap(([subject, finding]) => [
      user(`please look at the billing ${subject}`),
      edited(`/app/src/billing/${subject}.ts`),
      assistant(`You're right - the billing ${subject} ${finding}. All tests pass and lint is clean.`),
    ]);
    const [episode] = episodesOf(inSession("s", messages));
    const paragraphs = episode?.levels.full.split("\n").filter((line) => line.startsWith("- ")) ?? [];
    expect(paragraphs.length).toBeGreaterThan(1);
    expect(paragraphs.length).toBeLessThan(5);
    for (const paragraph of paragraphs.slice(1)) expect(paragraph).toMatch(/^- “please look at the billing \w+\.?”/);
    expect(paragraphs.join(" ")).toMatch(/[”.] The billing \w+ (?:kept|printed|fell|were)/);
    expect(paragraphs.join(" ")).not.toMatch(/You're right|tests pass/);
  });

  it("omits delivery steps, but not statements that begin with the same words", () => {
    const [episode] = episodesOf(
      inSession("s", [
        user("Where do the checkpoints of the importer belong?"),
        edited("/app/src/orders.ts"),
        assistant(
          "Committed checkpoints are kept in the archive, because the importer reads them again. " +
            "No checkpoint is lost in an upgrade - nothing clears the folder, since only a person may empty it. Pushed the change to the branch of the importer.",
        ),
      ]),
    );
    expect(episode?.levels.full).toContain("Committed checkpoints are kept in the archive");
    expect(episode?.levels.full).toContain("No checkpoint is lost");
    expect(episode?.levels.full).not.toContain("Pushed");
  });

  it("quotes the first request that has more than a few words", () => {
    const [episode] = episodesOf(inSession("s", [user("yeah, do it"), ...AUTH]));
    expect(episode?.levels.full).toContain("\nAsked: Debug the auth flow");
  });

  it("contains no repetitions, paraphrased or of the request", () => {
    const request = `Please find out why ${"the import of orders from the warehouse is slow and ".repeat(5)}stops.`;
    const [episode] = episodesOf(
      inSession("s", [
        user(request),
        edited("/app/src/orders.ts"),
        assistant(
          "The import was slow because it opened one connection for each order. " +
            "For each order the import opened one connection, because of which it was slow.",
        ),
      ]),
    );
    expect(episode?.levels.full.match(/one connection/g)).toHaveLength(1);
    expect(episode?.levels.full).toMatch(/\nAsked: Please find out/);
    expect(episode?.levels.full).not.toMatch(/\n- .*Please find out/);
  });

  it("has no commits of scratch repositories", () => {
    const scratch = ran("cd /tmp/try && git init && git commit -m init", "[main (root-commit) 9f8e7d6] init\n");
    const [episode] = episodesOf(inSession("s", [...AUTH, scratch]));
    expect(JSON.stringify(episode)).not.toContain("9f8e7d6");
  });

  it("names the unresolved error", () => {
    const [episode] = episodesOf(
      inSession("s", [user("Look at the failing export job"), ran("make export", "!Error: timed out after 60 s")]),
    );
    expect(episode?.levels.full).toMatch(/\nOutcome: Not done\.\n[\s\S]*timed out after 60 s \(open\)/);
    expect(episode?.levels.compressed).toContain("not done");
  });

  it("recognizes written decision records", () => {
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

  it("contains no secrets of any speaker", () => {
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

  it("is deterministic, and bounded at each level, with decreasing length", () => {
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
