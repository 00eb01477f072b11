import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens/count-tokens.ts";
import { renderLedger } from "../render/render-ledger.ts";
import { isLedger } from "../serialize-ledger.ts";
import { assistant, ledgerOf, user } from "../session.arbitrary.ts";

const NUMBERED = "What should I do?\n1. **Retry** - send the request again\n2. Fail at once\n3. Ask the user again";
const LETTERED = "Two ways:\n- **A)** Keep the old cache\n- **B)** Write a new cache\n\nWhich one?";

const chosen = (reply: string, message: string) => {
  const ledger = ledgerOf(user("Fix the timeout"), assistant(reply), user(message));
  expect(isLedger(ledger)).toBe(true);
  return ledger.statements.filter(({ at }) => at === 3).map(({ text }) => text);
};

describe("a choice by number or letter", () => {
  it.each([
    [NUMBERED, "1", ["1. **Retry** - send the request again"]],
    [NUMBERED, "option 2, please", ["2. Fail at once"]],
    [NUMBERED, "let's do 2. Or is there another way?", ["2. Fail at once"]],
    [NUMBERED, "1+2", ["1. **Retry** - send the request again", "2. Fail at once"]],
    [NUMBERED, "#2 and #3 please", ["2. Fail at once", "3. Ask the user again"]],
    [LETTERED, "I think A) is fine", ["**A)** Keep the old cache"]],
    [LETTERED, "B", ["**B)** Write a new cache"]],
    ["### Option 1: Wait\nIt takes long.\n### Option 2: Stop", "op 2", ["Option 2: Stop"]],
    ["1. One\n2. Two\n\nThen choose:\n1. Uno\n2. Due", "2", ["2. Due"]],
  ])("stands with the option that %j offers for %j", (reply, message, options) => {
    expect(chosen(reply, message)).toEqual(options);
  });

  it.each([
    [NUMBERED, "run it 2 times"],
    [NUMBERED, "fix all 3"],
    [NUMBERED, "A bug is left"],
    [NUMBERED, "1. run it 2. tell me the result"],
    [NUMBERED, "4"],
    ["It is fixed.", "1"],
    ["1. What else?\n2. What now?", "1"],
  ])("is not found in %j and %j", (reply, message) => {
    expect(chosen(reply, message)).toEqual([]);
  });

  it("is the first sentence below the request, shown once", () => {
    const reply = "Both ways work.\n\n1. Retry the request once\n2. Fail at once\n\nI have no preference.";
    const ledger = ledgerOf(user("Fix it"), assistant(reply), user("1"), assistant("The client retries once now."));
    expect(renderLedger(ledger, { budget: 500, count: countTokens })).toBe(
      [
        "### Requests and what happened",
        "- Task, answered: Fix it",
        "→ I have no preference.",
        "- Answered: 1",
        "→ 1. Retry the request once; The client retries once now.",
      ].join("\n"),
    );
  });

  it("refers to the last reply only", () => {
    const ledger = ledgerOf(user("Fix it"), assistant(NUMBERED), user("Wait"), assistant("I wait for you."), user("2"));
    expect(ledger.statements.filter(({ at }) => at === 5)).toEqual([]);
  });
});
