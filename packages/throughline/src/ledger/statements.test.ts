import { describe, expect, it } from "vitest";
import { countTokens } from "../tokens/count-tokens.ts";
import type { Ledger } from "./ledger.ts";
import { renderLedger } from "./render/render-ledger.ts";
import { readWords } from "./render/render-quotes.ts";
import { assistant, ledgerOf, tool, user } from "./session.arbitrary.ts";

const textsOf = ({ statements }: Ledger) => statements.map(({ text }) => text);
const noteOf = (ledger: Ledger) => renderLedger(ledger, { budget: 1_000, count: countTokens });

describe("a retracted statement of the assistant", () => {
  const claim = "The timeout of the export job comes from the database pool.";
  const other = "The export writes one file for each project.";

  it.each([
    "I was wrong about the timeout: it comes from the proxy and not from the database pool of the export job.",
    "Actually, the timeout of the export job comes from the proxy, and the database pool is fine.",
    "It turns out that the timeout of the export job has nothing to do with the database pool.",
    "The database pool was not the cause of the timeout in the export job.",
    "My earlier finding was wrong. The timeout of the export job does not come from the database pool.",
  ])("is left out: %s", (retraction) => {
    const ledger = ledgerOf(
      user("Why is it slow?"),
      assistant(`${other} ${claim}`),
      user("Sure?"),
      assistant(retraction),
    );
    expect(textsOf(ledger)).not.toContain(claim);
    expect(textsOf(ledger)).toContain(other);
  });

  it("stays if the later sentence is about another subject, retracts nothing, or only announces a step", () => {
    for (const reply of [
      "I was wrong about the color of the button, which is blue.",
      "The timeout of the export job also depends on the database pool of the host.",
      "Actually, let me look at the timeout of the export job and the database pool.",
    ]) {
      expect(textsOf(ledgerOf(user("Why?"), assistant(claim), user("Sure?"), assistant(reply)))).toContain(claim);
    }
  });

  it("is left out if the assistant gives in to a user who quotes it", () => {
    const ledger = ledgerOf(
      user("Why is it slow?"),
      assistant(`${other} ${claim}`),
      user("You wrote: the timeout of the export job comes from the database pool. But the pool is empty?"),
      assistant("You're right, I had it backwards! The proxy closes idle connections."),
    );
    expect(textsOf(ledger)).not.toContain(claim);
    expect(textsOf(ledger)).toContain(other);
  });

  it("stays if it is about an earlier request than the last two", () => {
    const between = [user("And the import?"), assistant("The import reads one line at a time.")];
    const retraction = "Actually, the timeout of the export job comes from the proxy, and the database pool is fine.";
    expect(
      textsOf(ledgerOf(user("Why?"), assistant(claim), ...between, user("Sure?"), assistant(retraction))),
    ).toContain(claim);
  });
});

describe("an announcement", () => {
  it("is shown if it gives the reason for a choice, and not for a reading step", () => {
    const choice = "I'll use a Map instead of an object because keys may be numbers.";
    const looks = [
      "First I’m reading the conventions because this touches the wire format.",
      "Let me check the tests, because they may fail.",
      "Now I'll verify it instead of guessing.",
    ];
    expect(textsOf(ledgerOf(user("Add a cache"), assistant(`${looks.join(" ")} ${choice}`)))).toEqual([choice]);
  });
});

describe("a vague sentence", () => {
  const vague = "There are still failing tests.";
  const finding = "The date parser drops the time zone.";

  it("is omitted once the work continues", () => {
    const work = tool("Edit", { file_path: "/app/dates.ts" });
    const told = textsOf(
      ledgerOf(user("Fix it"), assistant(`${vague} ${finding}`), ...work, assistant("It works now.")),
    );
    expect(told).toEqual([finding, "It works now."]);
  });

  it("is shown if it contains a name, or ends the reply", () => {
    const named = "`TestSave` still fails.";
    expect(textsOf(ledgerOf(user("Fix it"), assistant(named), assistant(vague)))).toEqual([named, vague]);
  });

  it("is dropped first in a small note", () => {
    const ledger = ledgerOf(user("Why?"), assistant(`${vague} ${finding}`));
    expect(renderLedger(ledger, { budget: 26, count: countTokens })).toBe(
      `### Requests and what happened\n- Task, answered: Why?\n→ ${finding}`,
    );
  });
});

describe("an item of a list", () => {
  it("is dropped before a whole sentence in a small note", () => {
    const sentence = "The date parser drops the time zone.";
    const ledger = ledgerOf(user("Why?"), assistant(`- Time zones of imported dates\n\n${sentence}`));
    expect(renderLedger(ledger, { budget: 26, count: countTokens })).toContain(`→ ${sentence}`);
  });
});

describe("a short reply with code", () => {
  it("is shown without long code, unless the code is the answer", () => {
    const reply = `Done. It logs each request now:\n\`\`\`ts\n${"log(request);\n".repeat(20)}\`\`\``;
    expect(textsOf(ledgerOf(user("Log it"), assistant(reply)))).toEqual(["Done. It logs each request now: …"]);
    const code = `\`\`\`ts\n${"log(request);\n".repeat(20)}\`\`\`\nOr simply:\n\`\`\`ts\nlog();\n\`\`\``;
    expect(textsOf(ledgerOf(user("Log it"), assistant(code)))[0]).toContain("log(request);");
    const commands = "```\nnpm run log\n```\nOr simply:\n```\nnpm start\n```";
    expect(textsOf(ledgerOf(user("How?"), assistant(commands)))).toEqual([
      "``` npm run log ``` Or simply: ``` npm start ```",
    ]);
  });

  it("is not shown if it is only a heading", () => {
    expect(textsOf(ledgerOf(user("Go on"), assistant("### Step 2: Tests")))).toEqual([]);
    expect(textsOf(ledgerOf(user("Go on"), assistant("Tests pass now.\n### Step 2: Tests")))).toEqual([
      "Tests pass now.",
    ]);
  });
});

describe("an error of the connection in place of a reply", () => {
  it("is not shown, and leaves the request open", () => {
    const ledger = ledgerOf(user("Does resume use the same code?"), assistant('API Error: 529 {"type":"error"}'));
    expect(textsOf(ledger)).toEqual([]);
    expect(ledger.requests.at(-1)?.state).toBe("open");
  });
});

describe("the outcome of a request", () => {
  it("mentions a correction by the user", () => {
    const ledger = ledgerOf(
      user("Which port is it?"),
      assistant("The server listens on port 80 by default."),
      user("No, I changed it to 8080."),
      assistant("It is port 8080, as set in the environment."),
    );
    const note = noteOf(ledger);
    expect(note).toContain("- Task, answered, then corrected: Which port is it?\n→ The server listens on port 80");
    expect(note).toContain("- Answered: No, I changed it to 8080.");
    expect(readWords(note).requests.map(({ text, state }) => [text, state])).toEqual([
      ["Which port is it?", "answered"],
      ["No, I changed it to 8080.", "answered"],
    ]);
  });

  it("is the question that the assistant asked back, if the reply says nothing else", () => {
    const ledger = ledgerOf(user("Add a cache"), assistant("Should it live in memory or on disk?"), user("Disk"));
    expect(noteOf(ledger)).toContain("- Task, answered: Add a cache\n→ Should it live in memory or on disk?");
  });

  it("stays open if the reply only announces a step", () => {
    const states = (...messages: Parameters<typeof ledgerOf>) =>
      ledgerOf(...messages).requests.map(({ state }) => state);
    expect(states(user("Add a cache"), assistant("Now let me add the cache."))).toEqual(["open"]);
    expect(states(user("Add a cache"), assistant("It has one already. Let me show you."))).toEqual(["answered"]);
    const edit = tool("Edit", { file_path: "/app/cache.ts" });
    expect(states(user("Add a cache"), ...edit, assistant("Now let me run it."))).toEqual(["done"]);
  });

  it("has no announcement of a list without the list", () => {
    const options =
      "The pool is too small. There are several options that you could choose from now:\n- Make it larger.\n- Drop it.";
    expect(textsOf(ledgerOf(user("Why?"), assistant(options)))).toEqual(["The pool is too small."]);
    const choice =
      "The pool is too small. What do you want to do?\nA) Make the pool larger than now.\nB) Drop the whole pool today.";
    expect(textsOf(ledgerOf(user("Why?"), assistant(choice)))).toEqual(["The pool is too small."]);
    const code = "If you start it twice in a row you will see this in the log of the server:\n```\nport in use\n```";
    expect(noteOf(ledgerOf(user("Why?"), assistant(code)))).toContain("in the log of the server …");
    const list = "The two steps of the job run one after the other in the same process:\n- It reads the whole archive.";
    expect(noteOf(ledgerOf(user("Why?"), assistant(list)))).toContain(
      "in the same process: It reads the whole archive.",
    );
    const filler = "The job is started by the scheduler of the host. ".repeat(3);
    const small = renderLedger(ledgerOf(user("Why?"), assistant(`${filler}\n${list}`)), {
      budget: 60,
      count: countTokens,
    });
    expect(small.includes("in the same process")).toBe(small.includes("It reads the whole archive."));
  });
});
