import { describe, expect, it } from "vitest";
import { assistant, tool, user } from "../../ledger/session.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { edited, inSession, ran } from "./session.arbitrary.ts";
import { SessionStory } from "./session-story.ts";
import { outcomeOf } from "./task-outcome.ts";

function outcome(messages: readonly (Message | Message[])[]) {
  const story = new SessionStory();
  for (const message of inSession("s", messages)) story.add(message);
  const task = story.tasks.at(-1);
  return task && outcomeOf(task);
}

const CART = [
  user("The cart forgets its items after a reload of the page."),
  edited("/app/src/cart.ts"),
  assistant("The cart keeps its items in the storage of the browser now."),
];
const todos = (...items: readonly [string, string][]) =>
  tool("TodoWrite", { todos: items.map(([content, status]) => ({ content, status })) });

describe("the outcome of a task", () => {
  it("is done after changes, with the check that passed", () => {
    expect(outcome([...CART.slice(0, 2), ran("pnpm test"), ...CART.slice(2)])).toEqual({
      state: "done",
      evidence: ["`pnpm test` passed"],
      next: [],
    });
  });

  it("names the check without the parts that only shorten its output", () => {
    const check = ran("pnpm test 2>&1 && pnpm lint 2>&1 | tail -n 20");
    expect(outcome([...CART.slice(0, 2), check, ...CART.slice(2)])?.evidence).toEqual([
      "`pnpm test && pnpm lint` passed",
    ]);
  });

  it("does not name a command that only looks like a check", () => {
    const read = ran("gh api repos/test/comments --paginate");
    expect(outcome([...CART.slice(0, 2), ran("pnpm test"), read, ...CART.slice(2)])?.evidence).toEqual([
      "`pnpm test` passed",
    ]);
  });

  it("is `answered` if the task has only a reply", () => {
    const answer = assistant("The cart is kept in the session storage, which a new tab does not share.");
    expect(outcome([user("Where is the cart of a customer kept?"), answer])?.state).toBe("answered");
  });

  it("is done if the user accepts it, even with open to-dos", () => {
    const list = todos(["Keep items", "completed"], ["Write a migration", "pending"]);
    expect(outcome([...CART, list, user("Perfect, thank you!")])).toMatchObject({
      state: "done",
      evidence: ["accepted by the user"],
    });
  });

  it.each([
    "Good. From now on use pnpm, not npm.",
    "Perfect! Never push to main.",
    "From now on use pnpm, not npm.",
    "Gut. Ab jetzt immer pnpm statt npm verwenden.",
  ])("stays done after the rule for later “%s”", (rule) => {
    const story = [...CART.slice(0, 2), ran("pnpm test"), ...CART.slice(2)];
    const heard = assistant("Understood, I will do that.");
    expect(outcome([...story, user(rule), heard])).toEqual({
      state: "done",
      evidence: ["`pnpm test` passed"],
      next: [],
    });
  });

  it("stays unfinished if a rule follows open work, or if work comes with the rule", () => {
    const started = assistant("I will look at the checkout next.");
    const rule = [user("Good. Never push to main."), assistant("Understood, I will not.")];
    const next = "Now the totals of the checkout are wrong too.";
    expect(outcome([...CART, user(next), started, ...rule])).toMatchObject({ state: "partly", next: [next] });
    const both = "Good. From now on use pnpm. Now fix the totals of the checkout.";
    expect(outcome([...CART, user(both), started])).toMatchObject({ state: "partly", next: [both] });
    const result = "The totals must include the tax.";
    expect(outcome([...CART, user(result), started])).toMatchObject({ state: "partly", next: [result] });
  });

  it("stays done if the assistant only offers to commit", () => {
    const offer = assistant("The cart keeps its items in the storage now. Should I commit and push?");
    expect(outcome([...CART.slice(0, 2), offer])?.state).toBe("done");
  });

  it.each<[string, readonly (Message | Message[])[], string]>([
    ["to-dos are left", [todos(["Keep items", "completed"], ["Write a migration", "pending"])], "Write a migration"],
    ["the last check fails", [ran("pnpm test", "!1 test failed")], "make `pnpm test` pass"],
    [
      "the last reply says so",
      [assistant("The cart keeps its items. However, two tests of the checkout are still failing.")],
      "However, two tests of the checkout are still failing.",
    ],
    [
      "the user's wish only led to a question",
      [
        user("The name of that storage key is ugly"),
        assistant("A constant for the key would be better. Want me to rename it?"),
      ],
      "an answer to “Want me to rename it?”",
    ],
    ["the last request has no answer", [user("Now the same for the wish list, please")], "Now the same"],
  ])("is partly done if %s", (_, more, next) => {
    const found = outcome([...CART, ...more]);
    expect(found?.state).toBe("partly");
    expect(found?.next[0]).toContain(next);
  });

  it("is done if only checks and delivery remain on the to-do list", () => {
    expect(outcome([...CART, todos(["Keep items", "completed"], ["Run all tests", "pending"])])?.state).toBe("done");
  });

  it("is open if only a to-do list was written", () => {
    const asked = user("Add a wish list to the shop, please.");
    const plan = todos(["Add a table", "pending"], ["Add a page", "pending"]);
    const reply = assistant("The wish list needs a table and a page. Is that fine?");
    expect(outcome([asked, plan, reply])?.state).toBe("open");
  });

  it("is not done if only a plan or an issue was written", () => {
    const plan = tool("Write", { file_path: "/app/docs/plans/wish-list.md", content: "# Wish list\n" });
    const issue = tool("mcp__tracker__create_issue", { title: "Wish list" });
    const reply = assistant("The wish list is written down for later, with its table and its page.");
    expect(outcome([user("Think about a wish list"), plan, reply])).toMatchObject({
      state: "partly",
      next: ["plan: Wish list"],
    });
    expect(outcome([user("Think about a wish list"), issue, reply])).toMatchObject({ next: ["issue: Wish list"] });
  });
});
