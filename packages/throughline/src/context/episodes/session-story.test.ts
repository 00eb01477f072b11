import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { anyWork, edited, inSession, MAY, ran } from "./session.arbitrary.ts";
import { SessionStory } from "./session-story.ts";

function tasksOf(messages: readonly Message[]) {
  const story = new SessionStory();
  for (const message of messages) story.add(message);
  return story.tasks;
}

const LOGIN = [
  user("Fix the login page: tokens expire too early in the browser."),
  edited("/app/src/auth/token.ts"),
  assistant("Fixed the expiry of tokens in src/auth/token.ts by comparing in UTC."),
];
const CHART = user("Add a bar chart of monthly revenue to the finance dashboard, grouped by region.");

describe("the tasks of a session", () => {
  it("are one while the user continues with the same subject", () => {
    const follow = [
      user("Does that hold for refresh tokens of the login page too?"),
      ran("rg refresh src"),
      user("ok"),
    ];
    expect(tasksOf(inSession("s", [...LOGIN, ...follow]))).toHaveLength(1);
  });

  it("are two if the user changes the subject", () => {
    const tasks = tasksOf(
      inSession("s", [
        ...LOGIN,
        CHART,
        edited("/app/src/chart.ts"),
        assistant("There is a chart now, grouped by region."),
      ]),
    );
    expect(tasks.map(({ id, ledger }) => [id, ledger.files.map(({ path }) => path)])).toEqual([
      ["s-m0", ["/app/src/auth/token.ts"]],
      ["s-m4", ["/app/src/chart.ts"]],
    ]);
  });

  it("are two if the user announces a new task", () => {
    const other = user("Unrelated: rename the token helper");
    expect(tasksOf(inSession("s", [...LOGIN, other, ran("git mv a b")]))).toHaveLength(2);
  });

  it("are two after a pause of hours", () => {
    const later = [user("Please look at how invoices are printed for customers abroad"), ran("rg invoice src")];
    const first = inSession("s", LOGIN);
    const rest = inSession("s", later, MAY + 9 * 3_600_000).map((message) => ({
      ...message,
      id: `later-${message.id}`,
    }));
    expect(tasksOf([...first, ...rest])).toHaveLength(2);
  });

  it("are none without a request or without a result", () => {
    expect(tasksOf(inSession("s", [assistant("Hello, what can I do for you today, dear user?")]))).toEqual([]);
    expect(tasksOf(inSession("s", [user("Hello")]))).toEqual([]);
  });

  it("keep the newest 40 pull requests and decision records", () => {
    const mentions = Array.from({ length: 60 }, (_, i) => user(`The login page also concerns PR #${i + 1}.`));
    const [task] = tasksOf(inSession("s", [...LOGIN, ...mentions]));
    expect(task?.artifacts.map(({ ref }) => ref)).toEqual(Array.from({ length: 40 }, (_, i) => `#${i + 21}`));
  });

  it("find commits of parallel calls with late results", () => {
    const calls = Array.from({ length: 61 }, (_, i) =>
      ran(`git commit -m "fix ${i}"`, `[main ${1_000_000 + i}] fix ${i}`),
    );
    const ids = calls.map((messages, i) =>
      messages.map((message) => ({
        ...message,
        parts: message.parts.map((part) => ("toolCallId" in part ? { ...part, toolCallId: `call-${i}` } : part)),
      })),
    );
    const [asked, answered] = [ids.flatMap(([call = []]) => call), ids.flatMap(([, ...results]) => results)];
    const [task] = tasksOf(inSession("s", [...LOGIN, ...asked, ...answered]));
    expect(task?.commits.map(({ subject }) => subject)).toEqual(Array.from({ length: 20 }, (_, i) => `fix ${i + 41}`));
  });

  it("include created commits and pull requests, and not those that outputs only mention", () => {
    const [task] = tasksOf(
      inSession("s", [
        ...LOGIN,
        ran('git commit -m "fix(auth): compare in UTC"', "[main 1a2b3c4] fix(auth): compare in UTC\n 1 file changed"),
        ran("git commit --amend --no-edit", "[main 5d6e7f8] fix(auth): compare in UTC"),
        ran("cat log.txt", "[main 9999999] something else\nhttps://github.com/a/b/pull/1"),
        ran("gh pr create --fill", "https://github.com/ada/shop/pull/42"),
        assistant("Opened PR #42, which follows ADR-012."),
      ]),
    );
    expect(task?.commits).toEqual([{ id: "5d6e7f8", subject: "fix(auth): compare in UTC" }]);
    expect(task?.artifacts).toEqual([
      { type: "pr", ref: "ada/shop#42" },
      { type: "adr", ref: "ADR-012" },
    ]);
  });

  it("keep their boundaries when the session continues", () => {
    fc.assert(
      fc.property(anyWork, fc.nat(), (messages, cut) => {
        const before = tasksOf(messages.slice(0, messages.length === 0 ? 0 : cut % messages.length)).map(
          ({ id }) => id,
        );
        const after = tasksOf(messages).map(({ id }) => id);
        expect(after.filter((id) => before.includes(id))).toEqual(before);
      }),
    );
  });
});
