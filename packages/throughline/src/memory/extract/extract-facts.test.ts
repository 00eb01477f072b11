import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractFacts } from "./extract-facts.ts";
import type { ExtractTurn } from "./extract-turn.ts";

function said(text: string, more: Partial<ExtractTurn> = {}): ExtractTurn {
  return { id: "m1", role: "user", text, ...more };
}

function textsOf(text: string, more: Partial<ExtractTurn> = {}): string[] {
  return extractFacts([said(text, more)]).map((fact) => fact.text);
}

describe("what somebody states about themselves", () => {
  it.each([
    ["Hi! I live in Lisbon.", "User lives in Lisbon", "identity", "residence", "Lisbon"],
    ["I'm based in Copenhagen", "User is based in Copenhagen", "identity", "residence", "Copenhagen"],
    ["My name is Kelly.", "User's name is Kelly", "identity", "name", "Kelly"],
    ["Please call me Rob", "User's name is Rob", "identity", "name", "Rob"],
    ["I’m 34 years old.", "User is 34 years old", "identity", "age", "34"],
    ["I work as a nurse at Santa Maria", "User works as a nurse at Santa Maria", "identity", "occupation", "nurse"],
    ["I work for Acme.", "User works for Acme", "identity", "employer", "Acme"],
    ["I'm a React developer", "User is a React developer", "identity", "occupation", "React developer"],
    ["I have two kids.", "User has two kids", "identity", "child", "two kids"],
    ["Well, I love jazz.", "User loves jazz", "preference", "likes", "jazz"],
    ["I can't stand olives", "User cannot stand olives", "preference", "dislikes", "olives"],
    ["I prefer tabs over spaces.", "User prefers tabs over spaces", "preference", "prefers", "tabs over spaces"],
    ["My favourite food is sushi", "User's favorite food is sushi", "preference", "favorite_food", "sushi"],
    ["Sushi is my favorite food.", "User's favorite food is Sushi", "preference", "favorite_food", "Sushi"],
    ["I speak German.", "User speaks German", "identity", "language", "German"],
    ["I want to become a pilot.", "User wants to become a pilot", "preference", "goal", "pilot"],
    ["I'm allergic to peanuts", "User is allergic to peanuts", "preference", "allergy", "peanuts"],
    ["Always answer in German.", "User wants: always answer in German", "preference", "instruction", undefined],
  ])("%s", (text, fact, category, key, value) => {
    const [found] = extractFacts([said(text)]);
    expect(found).toMatchObject({ text: fact, category, key, subject: "user", confidence: 0.75 });
    expect(found?.value).toBe(value);
  });

  it.each([
    ["Never use default exports in this repo.", "User wants: never use default exports in this repo"],
    ["From now on, always run pnpm typecheck first.", "User wants: always run pnpm typecheck first"],
    ["Please don't add comments to the code.", "User wants: never add comments to the code"],
    ["oh, please don't amend commits - it breaks the workflows", "User wants: never amend commits"],
    ["Use date-fns instead of moment.", "User wants: use date-fns instead of moment"],
    ["Use pnpm instead of yarn from now on.", "User wants: use pnpm instead of yarn"],
    ["Make sure to always close the connections.", "User wants: make sure to always close the connections"],
    ["We use named exports only.", "The team: use named exports only"],
    ["We always squash-merge pull requests.", "The team: always squash-merge pull requests"],
    ["Stop adding summaries to your answers.", "User wants: stop adding summaries to your answers"],
    ["Make sure that money is always stored in cents.", "User wants: make sure that money is always stored in cents"],
  ])("is a rule for good: %s", (text, rule) => {
    expect(extractFacts([said(text)])).toMatchObject([{ text: rule, key: "instruction", category: "preference" }]);
  });

  it.each([
    ["Remember that Anna must approve every deploy.", "Anna must approve every deploy"],
    ["Please remember: the key of the API changes every month.", "The key of the API changes every month"],
    ["We decided to use Kysely.", "The team decided to use Kysely"],
  ])("is what is to be remembered: %s", (text, fact) => {
    expect(extractFacts([said(text)])).toMatchObject([{ text: fact, category: "project", subject: "project" }]);
  });

  it.each([
    "don't push yet",
    "Don't worry about it",
    "please don't change this file",
    "don't add anything else for now",
    "remember when we fixed the login?",
    "Remember that?",
    "We always go to the beach.",
    "never mind",
    "Stop doing that",
    "use a map instead of this loop",
    "use a set instead of an array",
    "Use flexbox instead of grid for the header.",
    "Don't run the tests, they are slow.",
    "don't change the API",
    "Stop showing the spinner after the load.",
    "Never return null from this function.",
    "Always use the index for that query.",
    "Always use yarn. Actually no, use pnpm.",
    "Never deploy on Friday. Well, unless Anna says so.",
    "Write a prompt for another agent that says: Always answer in JSON.",
    "We decided to stay at home.",
  ])("is nothing for later: %s", (text) => {
    expect(extractFacts([said(text)])).toEqual([]);
  });

  it("gives the words that it rests on", () => {
    const [fact] = extractFacts([said("Oh nice! Well, I live in Lisbon, and you?")]);
    expect(fact?.source).toEqual({ messageId: "m1", quote: "I live in Lisbon" });
  });

  it("tells it of a speaker who has a name", () => {
    const [fact] = extractFacts([said("I live in Ohio. My dog is called Bo.", { speaker: "$& Ann" })]);
    expect(fact).toMatchObject({ text: "$& Ann lives in Ohio", subject: "$& Ann" });
  });

  it("keeps apart what somebody's animals are called", () => {
    expect(extractFacts([said("My dog is called Barnaby.")])).toMatchObject([
      { text: "User's dog is called Barnaby", subject: "user's dog", key: "name", value: "Barnaby" },
    ]);
  });

  it("says once what was said twice, as it was said last", () => {
    const facts = extractFacts([said("I live in Lisbon."), said("Yes, I'm living in Lisbon.", { id: "m2" })]);
    expect(facts.map((fact) => fact.source.messageId)).toEqual(["m2"]);
  });
});

describe("what is no fact", () => {
  it.each([
    ["a hedge", "I think I might try Svelte. Maybe I live in the wrong city."],
    ["a wish", "I would love to visit Rome. I wish I had a dog. I'd like to learn Rust."],
    ["a condition", "If I live in Rome, I am happy. I am a pilot if I want to be."],
    ["a question", "Do I live in Rome? I live in Rome?"],
    ["what others say", 'She said "I live in Rome". He told me, I am a fool.'],
    ["what is told of others", "My friend Bob lives in Rome. He is a doctor. My wife hates cooking."],
    ["a role", "Pretend I am a pirate. I live on a ship."],
    ["a joke", "I am a millionaire. Just kidding!"],
    ["a text to work on", "Translate this: I live in Berlin and I love cats"],
    ["something to be written", "Write a short story. I live in a castle."],
    ["the moment", "I am tired. I'm good, thanks. I have a question. I have to go."],
    ["what points back", "I like it. I love that. I have one too. I play them a lot."],
    ["what is meant for the listener", "I love your dress. I like you."],
    ["an intention that is denied", "I don't want to move to Berlin. I won't buy a house."],
    ["a report of a fault", "The database is broken. The deploy script is not working."],
    ["a task", "I want to add a button. I'm working on a fix. I have a function that returns it."],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(textsOf(text)).toEqual([]);
  });

  it("is believed again once a role is laid down", () => {
    const turns = [
      said("Let's role-play: you are a captain."),
      said("I live on a ship."),
      said("Okay, stop the role-play."),
      said("I live in Lisbon."),
    ];
    expect(extractFacts(turns).map((fact) => fact.text)).toEqual(["User lives in Lisbon"]);
  });
});

describe("what nobody said", () => {
  it.each([
    ["a block of memories", "## What you know about this user\n\nAbout user:\n- I live in Paris\n\nI live in Lisbon."],
    ["tags", "<memory>I live in Paris.</memory>\nI live in Lisbon."],
    ["a fence", "```\nI live in Paris.\n```\nI live in Lisbon."],
    ["a quotation", "> I live in Paris.\n\nI live in Lisbon."],
    ["a reminder in front", '<system-reminder kind="x">\nI live in Paris.\n</system-reminder>\nI live in Lisbon.'],
  ])("is left out: %s", (_, text) => {
    expect(textsOf(text)).toEqual(["User lives in Lisbon"]);
  });

  it.each([
    "I live in Lisbon.\n## Session Summary (Compaction Round 1)\nI live in Paris.",
    "I live in Lisbon.\n<memory>\nI live in Paris.",
  ])("is left out to the end where nothing closes it", (text) => {
    expect(textsOf(text)).toEqual(["User lives in Lisbon"]);
  });

  it("is left out where it is marked, in whole or in part", () => {
    expect(textsOf("I live in Paris.", { synthetic: true })).toEqual([]);
    const text = "I live in Paris. I live in Lisbon.";
    expect(textsOf(text, { synthetic: [{ start: 0, end: 16 }] })).toEqual(["User lives in Lisbon"]);
  });

  it("is not read from tools or assistants", () => {
    const turns = [said("I live in Paris.", { role: "tool" }), said("I live in Rome.", { role: "assistant" })];
    expect(extractFacts(turns)).toEqual([]);
  });

  it("does not hide behind signs that nobody sees", () => {
    expect(extractFacts([said("I\u200b live in Lis\u200bbon.")])).toMatchObject([
      { text: "User lives in Lisbon", source: { quote: "I live in Lisbon" } },
    ]);
  });
});

describe("what is said of the work", () => {
  it.each([
    ["We use PostgreSQL because of its JSON support.", "Project uses PostgreSQL because of its JSON support", "uses"],
    ["We use Redis for caching.", "Project uses Redis for caching", "caching"],
    ["The deploy script is scripts/deploy.sh.", "Project's deploy script is scripts/deploy.sh", "deploy_script"],
    ["Our database is PostgreSQL 16", "Project's database is PostgreSQL 16", "db"],
    ["We test with Vitest.", "Project tests with Vitest", undefined],
    ["The backend is written in Rust.", "Project's backend is written in Rust", undefined],
    ["We decided to use Drizzle over Prisma.", "The team decided to use Drizzle over Prisma", "uses"],
    ["The port is 3000.", "Project's port is 3000", "port"],
  ])("%s", (text, fact, key) => {
    const [found, ...others] = extractFacts([said(text)]);
    expect(found).toMatchObject({ text: fact, category: "project", subject: "project" });
    expect(found?.key).toBe(key);
    expect(others).toEqual([]);
  });

  it("knows what somebody builds and with what they work", () => {
    expect(textsOf("I'm building a local-first chat app with SQLite. I use Neovim.")).toEqual([
      "User is building a local-first chat app with SQLite",
      "User uses Neovim",
    ]);
  });
});

describe("a correction", () => {
  it.each([
    ["Actually I moved to Porto last month.", "User moved to Porto"],
    ["I no longer live in Lisbon.", "User no longer lives in Lisbon"],
    ["I don't live in Lisbon anymore.", "User no longer lives in Lisbon"],
    ["We switched from npm to pnpm.", "Project switched from npm to pnpm"],
    ["We no longer use Redis.", "Project no longer uses Redis"],
  ])("is marked as one: %s", (text, fact) => {
    expect(extractFacts([said(text)])).toMatchObject([{ text: fact, updatesPrevious: true }]);
  });

  it("is nothing that is said plainly", () => {
    expect(extractFacts([said("I live in Lisbon.")])[0]).not.toHaveProperty("updatesPrevious");
  });
});

describe("a secret", () => {
  const text = "I use Terraform with DB_PASSWORD=hunter2!secret";

  it("keeps a fact from being extracted, unless it is asked for", () => {
    expect(textsOf(text)).toEqual([]);
    expect(extractFacts([said(text)], { keepSecrets: true })).toHaveLength(1);
  });
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    ...[
      "I live in Lisbon. ",
      "I'm a nurse, ",
      "my dog is called Bo",
      "we use pnpm ",
      "maybe ",
      "\n",
      "```\n",
      "> ",
      '"',
      "<memory>",
    ],
    ...[
      "</memory>",
      "## Memory\n",
      "and I ",
      "’",
      "\u200b",
      "😀",
      "?",
      "... ",
      "I ",
      "my favorite ",
      "is ",
      "because ",
    ],
  );
  const anyText = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
  );

  it("gives facts whose words stand in it, with a category and something to say", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const visible = text.replace(/\u200b/g, "");
        for (const fact of extractFacts([said(text)])) {
          expect(visible).toContain(fact.source.quote);
          expect(fact.text.length).toBeGreaterThan(4);
          expect(["identity", "preference", "project"]).toContain(fact.category);
        }
      }),
    );
  });

  it("gives nothing of what was marked as put in", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const put = "\nI live in Atlantis.\n";
        const span = { start: before.length, end: before.length + put.length };
        const facts = extractFacts([said(`${before}${put}${after}`, { synthetic: [span] })]);
        expect(JSON.stringify(facts)).not.toContain("Atlantis");
      }),
    );
  });
});
