import { describe, expect, it } from "vitest";
import { factOf } from "../../memory/facts/memory.arbitrary.ts";
import type { Memory } from "../../ports/memory.ts";
import { isOf, readRoles } from "./read-roles.ts";

const roles = (text: string, rest: Partial<Memory> = {}) => {
  const { category: _, ...plain } = factOf(text, {});
  return readRoles({ ...plain, ...rest });
};
const adr = { artifacts: [{ type: "adr" as const, ref: "ADR-012" }] };

describe("a decision", () => {
  it.each([
    ["has a record", "Sessions live in Redis.", adr],
    ["names a record", "ADR-7: sessions live in Redis.", {}],
    ["is kept as one", "Sessions live in Redis.", { key: "decision" }],
    ["says so", "The team decided to keep sessions in Redis.", {}],
    ["says what was given up for it", "We replaced JWT with sessions.", {}],
    ["is told as a story with a record", "We talked about sessions for a day.", { kind: "episode" as const, ...adr }],
  ])("%s", (_, text, rest) => {
    expect(roles(text, rest)).toContain("decision");
  });

  it.each([
    ["somebody's taste", "User chose tea over coffee.", { category: "preference" as const }],
    ["a story of what was done", "Replaced JWT with sessions and went home.", { kind: "episode" as const }],
    ["a plain fact", "The login page has two fields.", {}],
  ])("is not %s", (_, text, rest) => {
    expect(roles(text, rest)).not.toContain("decision");
  });
});

describe("a convention", () => {
  it.each([
    ["is kept as a rule", "User wants: always run the tests", { key: "instruction", category: "preference" as const }],
    ["names what a project has one of", "Project uses PostgreSQL", { key: "db", value: "PostgreSQL" }],
    ["tells everybody what to do", "All handlers return a Result and never throw.", {}],
    ["speaks of errors", "All API handlers must return Result<T, ApiError>; do not throw.", {}],
    ["speaks of what is flaky", "When a test is flaky, fix it or delete it; never skip it.", {}],
    ["tells to do something", "Run pnpm lint --fix in the morning", {}],
    ["forbids", "Use named exports only; default exports are forbidden.", {}],
    ["is in German", "Wir committen immer mit signierten Commits.", {}],
    ["is in French", "Les migrations doivent toujours être réversibles.", {}],
    ["says how errors are handled", "Errors are values: no TypeError leaves a module.", { key: "error_handling" }],
  ])("%s", (_, text, rest) => {
    expect(roles(text, rest)).toContain("convention");
    expect(roles(text, rest)).not.toContain("error");
  });

  it.each([
    ["what one person does", "User should call the bank.", {}],
    ["what somebody likes", "Mara prefers tabs.", { subject: "Mara" }],
    ["what went wrong", "The build should pass, but it fails with an exit code of 1.", {}],
    ["a person's life", "User must never eat nuts.", { category: "identity" as const }],
  ])("is not %s", (_, text, rest) => {
    expect(roles(text, rest)).not.toContain("convention");
  });
});

describe("an error and its fix", () => {
  it.each([
    ["TypeError: cannot read property 'id' of undefined", ["error", "note"]],
    ["TypeError: the id must be a number", ["error", "note"]],
    ["Error: DYNAMO_TABLE is not set", ["error", "note"]],
    ["The suite is flaky on Mondays.", ["error", "note"]],
    ["Connecting ends in ECONNREFUSED.", ["error", "note"]],
    ["Root cause: wrong timezone. Fixed by normalising to UTC.", ["error", "fix", "note"]],
    ["The workaround is to restart the worker.", ["fix", "note"]],
    ["The page shows errors in red.", ["note"]],
  ])("are told by words: %s", (text, told) => {
    expect(roles(text)).toEqual(told);
  });

  it("are found in episodes, and in workflows only with a fix", () => {
    const text = "The deploy failed with a timeout. Fixed by waiting longer.";
    expect(roles(text, { kind: "episode" })).toEqual(["error", "fix", "episode"]);
    expect(roles(text, { kind: "workflow" })).toEqual(["workflow"]);
    const repaired = "To deploy:\nmake stage\nIf stage fails with “no access token”: login (helped 2 times)";
    expect(roles(repaired, { kind: "workflow" })).toEqual(["fix", "workflow"]);
  });

  it("are not found in a list of changes", () => {
    const text = "auth in 2026-03: 12 changes\n- fix: the crash at login\n- feat: passkeys";
    expect(roles(text, { kind: "episode" })).toEqual(["episode"]);
  });
});

describe("a preference", () => {
  it("has an owner", () => {
    expect(roles("User likes short answers", { category: "preference" })).toEqual(["preference"]);
    expect(roles("Mara prefers small pull requests.", { subject: "Mara" })).toEqual(["preference"]);
    expect(roles("Mara is in Berlin.", { subject: "Mara" })).toEqual(["note"]);
  });

  it("belongs to the named person, or to the speaker", () => {
    expect(isOf({ subject: "Mara" }, " mara ")).toBe(true);
    expect(isOf({ subject: "user", speaker: "Mara" }, "Mara")).toBe(true);
    expect(isOf({ subject: "Tom", speaker: "Mara", owner: "Mara" }, "Mara")).toBe(false);
    expect(isOf({ owner: "mara" }, "Mara")).toBe(true);
    expect(isOf({ subject: "" }, "")).toBe(false);
  });
});

describe("a sentence of a conversation", () => {
  const said = { source: { messageId: "m1" } };
  const preference = { ...said, category: "preference" as const };

  it.each([
    ["please don't amend commits", preference],
    ["do not push to the remote", preference],
    ["We don't use default exports.", said],
    ["we now only support linux and mac", said],
    ["we should be using strong types instead of strings wherever we can", said],
    ["Handlers must return a Result", said],
    ["Just run the dashboard directly going forward, not the wrapper", said],
    ["keep the grouping by session (should be default)", { ...preference, mentions: 2 }],
  ])("is a rule if it tells what to do beyond its task: %s", (text, rest) => {
    expect(roles(text, rest)).toContain("convention");
  });

  it.each([
    ["I don't like turn", { ...preference, key: "dislikes" }],
    ["remember also you have access to the debugger", preference],
    ["it doesn't matter, they don't have a key", said],
    ['"no new content" is really "no new chat activity"', said],
    ["I guess we don't always have a session", said],
    ["Could we show the message instead? There should always be one.", said],
    ["I think we should also keep agent lines at each prompt start", said],
    ["We should add the agent name to any logging", said],
    ["keep the grouping by session (should be default)", preference],
    ["I want to ask only the first time", said],
    ["Do it only on the first run. By default it should be enabled", said],
    ["I don't like turn [re: Turn is a common word in conversations]", preference],
    ["for explain, the prompts we show should be scoped to the checkpoint", said],
    ["don't change that file yet", preference],
    ["use `checkpointID` instead of `cpID`", preference],
  ])("is neither a rule nor a preference if it does not: %s", (text, rest) => {
    expect(roles(text, rest)).not.toContain("convention");
    expect(roles(text, rest)).not.toContain("preference");
  });

  it.each([
    ["the release needs a signature", ["note"]],
    ["I think we should start fresh from the main branch", []],
    ["it should be the worktree [re: Which one do you mean?]", []],
  ])("is a note if it is understood without the conversation: %s", (text, told) => {
    expect(roles(text, said)).toEqual(told);
  });

  it("is a preference if it states a liking", () => {
    expect(roles("I prefer short commit messages", preference)).toEqual(["preference"]);
  });
});

describe("a fact that is none of these", () => {
  it("is a note, or about the user", () => {
    expect(roles("The staging server is called heron.")).toEqual(["note"]);
    expect(roles("Works as a designer", { category: "identity" })).toEqual(["person"]);
    expect(roles("Works as a designer", { category: "identity", subject: "Mara" })).toEqual([]);
    expect(roles("Works as a designer", { category: "identity", scope: "project-shared" })).toEqual([]);
    expect(roles("The staging server is called heron.", { pinned: true })).toEqual(["note", "pinned"]);
  });
});

describe("an open question", () => {
  it.each(["Open question: which queue?", "Payments are blocked by the bank.", "It is not yet decided who signs."])(
    "is one: %s",
    (text) => {
      expect(roles(text)).toContain("open-question");
    },
  );
});
