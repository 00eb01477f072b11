import { describe, expect, it } from "vitest";
import { assistant, tool, user } from "../../ledger/session.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { describeEpisode } from "./describe-episode.ts";
import { edited, inSession, ran } from "./session.arbitrary.ts";
import { SessionStory } from "./session-story.ts";

function titleOf(messages: readonly (Message | Message[])[], given?: string): string | undefined {
  const story = new SessionStory();
  for (const message of inSession("s", messages)) story.add(message);
  const [task] = story.tasks;
  return task && describeEpisode(task, given === undefined ? {} : { title: given }).title;
}

function committed(subject: string, id: string): Message[] {
  return ran("git commit -am x", `[main ${id}] ${subject}\n`);
}

const EXPORT = [
  user("can you make the export of invoices stream to disk? large customers run out of memory"),
  edited("/app/src/export/write-invoices.ts"),
  assistant("The export of invoices now streams to disk, so its memory no longer grows with the number of invoices."),
];

describe("the title of an episode", () => {
  it("names the work, not the last fix after a review", () => {
    const session = [
      ...EXPORT,
      committed("feat(export): stream invoices to disk", "1a2b3c4"),
      user("there is a review comment about debug logging, please address it"),
      edited("/app/src/export/log.ts"),
      committed("fix(export): address review feedback about debug logging", "2b3c4d5"),
      assistant("Added debug logging to the export."),
    ];
    expect(titleOf(session)).toBe("Make the export of invoices stream to disk");
    expect(titleOf([user("yes, go on with what we said"), ...session.slice(1)])).toBe("Stream invoices to disk");
  });

  it("is the title of a pasted plan", () => {
    const plan =
      "Implement the following plan:\n\n# Plan: Streaming export\n\n## Steps\n1. Open the file\n2. Write rows";
    expect(titleOf([user(plan), ...EXPORT.slice(1), committed("wip", "1a2b3c4")])).toBe("Streaming export");
  });

  it.each([
    ["a plan", tool("ExitPlanMode", { plan: "# Streaming invoice export: implementation plan\n\nSteps" })],
    [
      "a plan in a file",
      tool("Write", { file_path: "/app/docs/plans/export.md", content: "# Streaming invoice export\n" }),
    ],
    ["a pull request", ran('gh pr create --title "feat(export): streaming invoice export" --body "x"')],
    ["a pull request by a tool", tool("mcp__github__create_pull_request", { title: "Streaming invoice export" })],
  ])("is the title of %s", (_, call) => {
    expect(titleOf([...EXPORT, call, assistant("It is written down now, as you asked for it.")])).toMatch(
      /^streaming invoice export$/i,
    );
  });

  it("is the title of the session if it has one", () => {
    expect(titleOf(EXPORT, "Export of invoices")).toBe("Export of invoices");
  });

  it("is the request without courtesies, if nothing else names the work", () => {
    expect(titleOf([user("Hi, could you please rename the billing module?"), edited("/app/src/a.ts")])).toBe(
      "Rename the billing module",
    );
  });

  it("names the review if the task was one", () => {
    const session = [
      user("let's work through the review feedback on the invoice pull request"),
      edited("/app/src/export/log.ts"),
      committed("fix(export): close the file after an error", "1a2b3c4"),
      user("reply to the review comments"),
      assistant("Replied to all review comments with the commits."),
    ];
    expect(titleOf(session)).toBe("Work through the review feedback on the invoice pull request");
  });

  it("is the number of a reviewed pull request with the main finding", () => {
    const session = [
      user("please review https://github.com/ana/shop/pull/42, the lint looks broken too"),
      edited("/app/src/export/log.ts"),
      committed("style: fix lint", "1a2b3c4"),
      committed("fix(export): close the invoice file after an error", "2b3c4d5"),
      user("thanks, does the file of the export stay open anywhere else?"),
      assistant("The invoice file of the export is closed everywhere now."),
    ];
    expect(titleOf(session)).toBe("Review of #42: close the invoice file after an error");
    expect(titleOf(session.slice(0, 3))).toMatch(/^Review #42/);
  });

  it("is the found cause if the request is vague", () => {
    const session = [
      user("can you look at the change in this branch? customers complain"),
      edited("/app/src/export/write-invoices.ts"),
      assistant(
        "The bug was that the invoice export joined paths with the current folder. The export of invoices uses the root of the invoice folder now.",
      ),
    ];
    expect(titleOf(session)).toBe("The invoice export joined paths with the current folder");
  });

  it("is not a to-do about tests, even if the test name is in camel case", () => {
    const todos = [
      { content: "Modify InvoiceExportTest to check the export of invoices to disk", status: "completed" },
      { content: "Stream the rows of the export", status: "completed" },
    ];
    const session = [user("yes, go on with what we said"), tool("TodoWrite", { todos }), ...EXPORT.slice(1)];
    expect(titleOf(session)).toBe("Stream the rows of the export");
  });

  it("is not taken from hook messages or pasted text", () => {
    const hook = user("Operation stopped by hook: another session is active in this folder");
    const pasted = user("why is this?\n```\nERROR export invoices export invoices failed\n```");
    const title = titleOf([
      hook,
      pasted,
      edited("/app/src/a.ts"),
      assistant("The invoice folder was missing on the disk."),
    ]);
    expect(title).not.toMatch(/hook|ERROR/);
  });

  it("is one line of at most 102 characters that ends after a word or a clause", () => {
    const titleOfRequest = (text: string) => titleOf([user(text), edited("/app/src/a.ts")]);
    const clauses =
      "Rename the billing module of the shop, and then move all of its tests to the folder of the invoices";
    expect(titleOfRequest(`${clauses} again`)).toBe("Rename the billing module of the shop");
    expect(titleOfRequest("Fix what PR #68 https://github.com/ana/shop/pull/68 broke")).toBe("Fix what PR #68 broke");
    expect(titleOfRequest("debug: the export of invoices has no totals")).toBe(
      "Debug: the export of invoices has no totals",
    );
    const title = titleOfRequest(`Rename ${"billing ".repeat(40)}`) ?? "";
    expect(title.length).toBeLessThanOrEqual(102);
    expect(title).toMatch(/^Rename billing.* billing …$/);
  });
});
