import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findOutdated, findStatement } from "./find-outdated.ts";
import { currentText } from "./mark-stale.ts";
import { anyTalk, conversation } from "./turn.arbitrary.ts";

/** Current texts of the earlier lines after the last line. */
function afterwards(...lines: readonly string[]): string[] {
  const turns = conversation(...lines);
  const last = turns.at(-1);
  if (last === undefined) return [];
  const earlier = turns.slice(0, -1);
  const outdated = new Map(findOutdated(last, earlier).map((each) => [each.turnId, each]));
  return earlier.flatMap(({ id, text }) => {
    const found = outdated.get(id);
    if (found === undefined) return [text];
    return found.spans === undefined ? [] : [currentText(text, found.spans)];
  });
}

describe("findOutdated", () => {
  it("marks the changed value in all turns that state it", () => {
    expect(
      afterwards(
        "Book the dentist for Tuesday.",
        "assistant: The dentist is booked for Tuesday.",
        "Could you move it to Thursday?",
      ),
    ).toEqual(["Book the dentist for [outdated].", "The dentist is booked for [outdated]."]);
    expect(afterwards("Order 30 chairs for the office.", "Scratch that, make it 45 chairs.")).toEqual([
      "Order [outdated] chairs for the office.",
    ]);
  });

  it("marks the corrected statement, and stated conclusions from it", () => {
    expect(
      afterwards(
        "Based on the lease: rent is $900 per month.",
        "So: we can spend $600 on furniture this month.",
        "Correction: the value was: rent is $900 per month. The actual value is: $1,100 per month.",
      ),
    ).toEqual(["So: we can spend $600 on furniture this month."]);
    expect(
      afterwards(
        "So: we can spend $600 on furniture this month.",
        "Our earlier conclusion 'we can spend $600 on furniture this month' was based on the wrong rent.",
      ),
    ).toEqual([]);
  });

  it("marks a statement replaced by an update", () => {
    expect(
      afterwards("The flight to Oslo lands at 9:40 AM.", "Update: the Oslo flight is late and lands at noon."),
    ).toEqual([]);
    expect(afterwards("Release window is 2 PM - 3 PM.", "The release window was pushed to 5 PM - 6 PM.")).toEqual([]);
    expect(afterwards("The price is $20 per seat.", "The price went up to $25 per seat.")).toEqual([
      "The price is [outdated] per seat.",
    ]);
  });

  it("marks a cancelled plan, with remarks about it", () => {
    expect(
      afterwards("Good news! Order #77 is approved. This is a go!", "By the way, order #77 was cancelled by finance."),
    ).toEqual([]);
    expect(afterwards("I want to rent a van. Please confirm.", "Cancel the van rent. No budget.")).toEqual([]);
  });

  it("marks the old value of the same attribute", () => {
    expect(afterwards("The retro is in the Berlin room.", "The retro is in the Madrid room.")).toEqual([]);
    expect(afterwards("The site status is online.", "As of today, the site is down.")).toEqual([]);
    expect(afterwards("Team size is 4.", "Team size is now 6.")).toEqual([]);
  });

  it("marks a revised choice, and the reply to it", () => {
    expect(
      afterwards(
        "We're going with Foo for the hosting.",
        "assistant: I'll write the contract with Foo.",
        "Let's proceed with Bar for the hosting.",
      ),
    ).toEqual([]);
    expect(
      afterwards("I'm tied to the lease. I prefer paying by card for now.", "Actually, let's switch to cash instead."),
    ).toEqual(["I'm tied to the lease. [outdated]"]);
  });

  it("marks considered options after a decision", () => {
    expect(
      afterwards(
        "We're thinking red tiles for the kitchen.",
        "assistant: Tentative choice: red tiles.",
        "The official choice is white tiles.",
      ),
    ).toEqual([]);
  });

  it("marks a changed statement about the speaker, in any session", () => {
    const [before, now] = conversation("I live in Lisbon.", "We moved to Porto last month.");
    if (before === undefined || now === undefined) throw new Error("Two lines are two turns.");
    expect(findOutdated({ ...now, sessionId: "later", position: 0 }, [before])).toEqual([{ turnId: "t0" }]);
  });

  it.each([
    "Update: the invoice export is late this week.",
    "UPDATE – the invoice export is late this week.",
    "**Update 2:** the invoice export is late this week.",
    "[Ops] Update - the invoice export is late this week.",
    "Update on the invoice export: it is late this week.",
    "A quick update on the invoice export: it is late this week.",
    "Here's an update about the invoice export: it is late this week.",
    "Status update: the invoice export is late this week.",
    "Updated: the invoice export is late this week.",
    "Update (Monday): the invoice export is late this week.",
  ])("takes %j for an update", (now) => {
    expect(afterwards("The invoice export runs nightly at 2 AM.", now)).toEqual([]);
  });

  it.each([
    "Update the README with the invoice export steps.",
    "Update README.md with the invoice export steps.",
    "Update docs/export.md: it has to name the invoice export.",
    "Update our tests of the invoice export.",
    "Update all invoice export steps in the docs.",
    "Update-script for the invoice export, please.",
    "Please update the invoice export steps.",
    "Can you update the invoice export steps?",
    "Updated the README with the invoice export steps.",
    "Updated invoice export steps are in the README.",
    "Quick, update the README of the invoice export.",
    "Update, build and deploy the invoice export.",
    "Write an update script for the invoice export.",
    "- Update the invoice export steps",
  ])("takes %j for no update", (now) => {
    const before = "The invoice export runs nightly at 2 AM.";
    expect(afterwards(before, now)).toEqual([before]);
  });

  it.each([
    ["The party is on Friday.", "The party is at Joe's place."],
    ["I went to Paris in May.", "I went to Rome in June."],
    ["I ran 5 km today.", "I ran 10 km today."],
    ["Max weighs 20 kg.", "Luna weighs 5 kg."],
    ["I love hiking.", "Actually, I love swimming too."],
    ["The vote is on Friday.", "Maybe we should change that to Monday."],
    ["The vote is on Friday.", "What if the vote is cancelled?"],
    ["I signed up for the gym in May.", "I cancelled the gym after the summer."],
    ["The contract renews in May.", "We must cancel by 5 PM to avoid renewal of the contract."],
    ["The draft is due on Monday.", "My sister is now in Madrid."],
  ])("leaves %j as it is after %j", (before, now) => {
    expect(afterwards(before, now)).toEqual([before]);
  });

  it("ignores statements of the assistant", () => {
    expect(afterwards("The vote is on Friday.", "assistant: Actually, the vote is on Monday.")).toEqual([
      "The vote is on Friday.",
    ]);
  });

  it("marks no parts of documents and code", () => {
    const long = `Budget is $5. ${"And so on. ".repeat(300)}`;
    expect(afterwards(long, "Sorry, I meant $6.")).toEqual([long]);
    const code = "```\nlimit is $5\n```";
    expect(afterwards(code, "Sorry, I meant $6.")).toEqual([code]);
  });

  it("marks spans of earlier turns only, each turn once", () => {
    fc.assert(
      fc.property(fc.array(anyTalk, { maxLength: 6 }), anyTalk, (lines, last) => {
        const turns = conversation(...lines, last);
        const earlier = turns.slice(0, -1);
        const now = turns.at(-1);
        const outdated = now === undefined ? [] : findOutdated(now, earlier);
        expect(new Set(outdated.map(({ turnId }) => turnId)).size).toBe(outdated.length);
        for (const { turnId, spans = [] } of outdated) {
          const text = earlier.find(({ id }) => id === turnId)?.text ?? "";
          for (const { start, end } of spans) expect(0 <= start && start < end && end <= text.length).toBe(true);
        }
      }),
    );
  });
});

describe("findStatement", () => {
  it("finds the turns that state a replaced memory", () => {
    const turns = conversation("The offsite will be in Porto, at the river house.", "Bring warm clothes.");
    expect(findStatement("offsite: river house in Porto", turns)).toEqual([{ turnId: "t0" }]);
    expect(findStatement("Porto", turns)).toEqual([]);
  });
});
