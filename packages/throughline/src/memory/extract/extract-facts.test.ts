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

describe("facts that people state about themselves", () => {
  it.each([
    ["I live in Lisbon.", "identity", "residence", "Lisbon"],
    ["I'm based in Copenhagen", "identity", "residence", "Copenhagen"],
    ["My name is Kelly.", "identity", "name", "Kelly"],
    ["I’m 34 years old.", "identity", "age", "34"],
    ["I work as a nurse at Santa Maria", "identity", "occupation", "nurse"],
    ["I work for Acme.", "identity", "employer", "Acme"],
    ["I'm a React developer", "identity", "occupation", "React developer"],
    ["I have two kids.", "identity", "child", "two kids"],
    ["I speak German.", "identity", "language", "German"],
    ["I'm allergic to peanuts", "identity", "allergy", "peanuts"],
    ["My favourite food is sushi", "preference", "favorite_food", "sushi"],
  ])("are kept verbatim, with attribute and value: %s", (text, category, key, value) => {
    const quote = text.replace(/\.$/, "");
    expect(extractFacts([said(text)])).toEqual([
      { text: quote, category, key, value, subject: "user", confidence: 0.75, source: { messageId: "m1", quote } },
    ]);
  });

  it.each([
    ["I can't stand olives", "preference"],
    ["I prefer tabs over spaces.", "preference"],
  ])("have no attribute if they state a taste: %s", (text, category) => {
    const [fact] = extractFacts([said(text)]);
    expect(fact).toMatchObject({ text: text.replace(/\.$/, ""), category });
    expect(fact?.key).toBeUndefined();
  });

  it.each([
    ["I live in Lisbon and not in Porto.", "Lisbon"],
    ["I moved to Porto last month.", "Porto"],
    ["I live in Porto now.", "Porto"],
  ])("have a value without its circumstances: %s", (text, value) => {
    expect(extractFacts([said(text)])).toMatchObject([{ key: "residence", value }]);
  });

  it("are no residence if the person moved to something else", () => {
    const [fact] = extractFacts([said("I moved to persistent worktrees last week.")]);
    expect(fact).toMatchObject({ category: "project", subject: "project" });
    expect(fact).not.toHaveProperty("key");
  });

  it("belong to the speaker if the speakers have names", () => {
    const [fact] = extractFacts([said("I live in Ohio.", { speaker: "Ann" })]);
    expect(fact).toMatchObject({ text: "I live in Ohio", subject: "Ann", source: { speaker: "Ann" } });
  });
});

describe("statements that hold beyond the moment", () => {
  it.each([
    ["preference", "Always answer in German."],
    ["project", "Uploads need to be resumable"],
    ["project", "let's not merge anything without a second review"],
    ["project", "When publishing (from any branch) we tag the commit"],
    ["preference", "I never use inheritance in Go"],
    ["project", "Ensure that flags of all kinds are documented"],
    ["preference", "Please never force-push to main."],
    ["preference", "Please keep answers short."],
    ["project", "Use date-fns instead of moment."],
    ["preference", "Make sure that money is always stored in cents."],
    ["preference", "I'd rather have guard clauses than deep nesting"],
    ["preference", "When you propose a change, always show the command"],
    ["project", "Never use default exports in this repo."],
    ["project", "We always squash-merge pull requests."],
    ["project", "We decided to use Kysely."],
    ["project", "We dropped Redis because it was too expensive"],
    ["project", "Every migration gets a rollback script"],
    ["project", "Feature flags live in config/flags.yaml, not in the database"],
    ["project", "Our test command is `npm run test:unit`."],
    ["project", "Releases are built with `make dist`"],
    ["project", "Anna has to approve every deploy."],
    ["project", "mara = product owner, jo = on-call"],
    ["project", "Jo prefers small pull requests."],
    ["project", "Tim mentioned that he strongly prefers Result<T,E> over try-catch."],
    ["project", "If the build is red, we don't merge anything"],
    ["project", "I want the importer to run only once a night"],
    ["project", "I would drop the XML export because nobody uses it"],
    ["project", "I want all dates in UTC"],
    ["project", "let's call the small units steps instead of turns"],
    ["project", "Marta and I agreed to move the launch to spring"],
    ["project", "I'm building a local-first chat app with SQLite."],
    ["preference", "Bitte antworte mir immer auf Deutsch."],
    ["project", "Wir haben uns für Postgres entschieden"],
    ["project", "Wir deployen freitags nie."],
    ["identity", "Ich wohne in Graz"],
    ["project", "En este proyecto usamos siempre commits en inglés."],
    ["identity", "Soy alérgica a las nueces"],
    ["preference", "Je préfère les réponses courtes."],
    ["project", "On utilise PostgreSQL partout chez nous"],
    ["preference", "Prefiro exemplos em TypeScript."],
    ["project", "A gente usa Docker em todos os serviços"],
    ["project", "我们团队统一使用 pnpm"],
    ["identity", "我对花生过敏"],
    ["project", "このプロジェクトではテストにVitestを使っています"],
    ["identity", "私は大阪に住んでいます"],
  ])("are kept verbatim as %s: %s", (category, text) => {
    expect(extractFacts([said(text)])).toMatchObject([{ text: text.replace(/\.$/, ""), category }]);
  });

  it.each([
    ["Oh nice! Well, I live in Lisbon, and you?", "I live in Lisbon"],
    ["I'd rather have tables than prose, can you redo the answer that way", "I'd rather have tables than prose"],
    ["I don't eat meat, so skip the steak", "I don't eat meat"],
    ["our readers are only in Norway so make the dates fit", "our readers are only in Norway"],
    ["Like there should always be a commit for each session", "there should always be a commit for each session"],
    ["Remember that Anna must approve every deploy.", "Anna must approve every deploy"],
    ["我住在杭州，帮我写一封邮件。", "我住在杭州"],
  ])("are kept without the request beside them: %s", (text, fact) => {
    expect(textsOf(text)).toEqual([fact]);
  });

  it("are kept apart if a sentence has two of them", () => {
    expect(textsOf("My name is Mara and I live in Lisbon.")).toEqual(["My name is Mara", "I live in Lisbon"]);
  });

  it("bring the sentence before them if a pronoun refers to it", () => {
    expect(extractFacts([said("There is a legacy folder. Never touch it by hand.")])).toMatchObject([
      {
        text: "There is a legacy folder. Never touch it by hand",
        source: { quote: "Never touch it by hand" },
      },
    ]);
  });

  it("bring the end of the reply that they refer to", () => {
    const reply = { id: "m0", role: "assistant", text: "All tests pass. I pushed the commit to main." };
    expect(extractFacts([reply, said("ok. from now on never do that without asking")])).toMatchObject([
      {
        text: "from now on never do that without asking [re: I pushed the commit to main.]",
        source: { quote: "from now on never do that without asking" },
      },
    ]);
    expect(extractFacts([reply, said("Never push to main.")])).toMatchObject([{ text: "Never push to main" }]);
  });

  it("bring the beginning of their sentence if a pronoun refers to it", () => {
    expect(extractFacts([said("Can you set up the site with Hugo, I prefer it over Jekyll.")])).toMatchObject([
      {
        text: "Can you set up the site with Hugo, I prefer it over Jekyll",
        source: { quote: "I prefer it over Jekyll" },
      },
    ]);
  });

  it("are left out if a pronoun refers to an unknown reply", () => {
    const reply = { id: "m0", role: "assistant", text: "I added the token to the response." };
    expect(textsOf("It should never be cached.")).toEqual([]);
    expect(extractFacts([reply, said("It should never be cached.")])).toMatchObject([
      { text: "It should never be cached [re: I added the token to the response.]" },
    ]);
  });

  it("are left out if they answer the proposal of a term", () => {
    const names = { id: "m0", role: "assistant", text: 'Two names fit. "Cursor" is common in databases. Thoughts?' };
    expect(extractFacts([names, said("I don't like cursor")])).toEqual([]);
    const asked = { id: "m0", role: "assistant", text: "Do you like mushrooms?" };
    expect(extractFacts([asked, said("I don't like mushrooms")])).toMatchObject([{ text: "I don't like mushrooms" }]);
  });

  it("are left out if a pronoun refers to a question or an order of the moment", () => {
    expect(textsOf("Could we show the author instead? There should always be one.")).toEqual([]);
    expect(textsOf("Do it only on the first run. By default it should be enabled.")).toEqual([]);
    expect(textsOf("once we switch to a new one, the cache should not bother with the old one")).toEqual([]);
  });

  it("bring the question that they answer in a few words", () => {
    const asked = { id: "m0", role: "assistant", text: "Done. Should I run the linter before each commit?" };
    expect(extractFacts([asked, said("yes, always")])).toMatchObject([
      {
        text: "yes, always [re: Should I run the linter before each commit?]",
        category: "preference",
        source: { messageId: "m1", quote: "yes, always" },
      },
    ]);
    for (const answer of ["yes", "not this time, but always later", "why always?"]) {
      expect(extractFacts([asked, said(answer)])).toEqual([]);
    }
  });

  it("are the items of a list in one line", () => {
    const items = "plan: - invoices must have an owner - we never delete invoices - add a test";
    expect(textsOf(items)).toEqual(["invoices must have an owner", "we never delete invoices"]);
  });

  it("include a parenthesis to its end, and none that stays open", () => {
    expect(textsOf("Retries need to be configurable (a constant will do, but not ten)")).toEqual([
      "Retries need to be configurable (a constant will do, but not ten)",
    ]);
    expect(textsOf("Invoices must have an owner (see the table")).toEqual(["Invoices must have an owner"]);
  });

  it("are at most five per message, the clearest ones", () => {
    const rules = Array.from({ length: 40 }, (_, n) => `Please never rename any part of table_${n}.`);
    expect(textsOf(rules.join("\n"))).toHaveLength(5);
  });

  it("are given once if repeated, with the last message", () => {
    const facts = extractFacts([said("I live in Lisbon."), said("Yes, I'm living in Lisbon.", { id: "m2" })]);
    expect(facts.map((fact) => fact.source.messageId)).toEqual(["m2"]);
  });

  it.each([
    "Actually I moved to Porto last month.",
    "I no longer live in Lisbon.",
    "We switched from npm to pnpm.",
    "We no longer use Redis.",
  ])("are marked if they change an earlier state: %s", (text) => {
    expect(extractFacts([said(text)])).toMatchObject([{ updatesPrevious: true }]);
  });
});

describe("text that states nothing lasting", () => {
  it.each([
    "don't push yet",
    "let's rename the flag to verbose instead",
    "I would not bother with the cache anymore",
    "I think we should also print the totals at each page end",
    "I want to warn only the first time a user runs init",
    "I guess we never have the author when we read a draft",
    "'no new mail' is really 'no new thread'",
    "Don't worry about it",
    "please don't change this file",
    "don't add anything else for now",
    "remember when we fixed the login?",
    "never mind",
    "Stop doing that",
    "use a map instead of this loop",
    "Use flexbox instead of grid for the header.",
    "Don't run the tests, they are slow.",
    "don't change the API",
    "Never return null from this function.",
    "Always use the index for that query.",
    "Always use yarn. Actually no, use pnpm.",
    "Never deploy on Friday. Well, unless Anna says so.",
    "Write a prompt for another agent that says: Always answer in JSON.",
    "The sidebar must never overlap the chart. Can you write the css?",
    "Der Knopf muss immer sichtbar sein. Bau das ein.",
    "we use npm, right?",
    "you always forget the imports",
    "B. is fine, make sure we trace",
    "always send the new header now",
    "remember also you have access to the browser",
    "let's look at the tests first, otherwise we miss something",
    "let's have a look at our review comments",
    "I want to know why every request is slow",
    "I'd like to see only the failing ones",
    "I want only 3, go with #2.",
    '"no new rows" is really "no new writes"',
    "remember to use the cursor",
    "go on, the runner should be fine now",
    "the layout should be more balanced",
    "your new job must be exciting",
    "you should try that bakery",
    "I'll bring the cake the next time we meet",
    "For the cache I thought we use Redis or whatever is there",
    "let's not spend any time on that",
    "it always fails on CI",
    "I'm worried that we always ship late",
    "ok let's fix the other two first",
    "mach das diesmal ohne Kommentare",
    "por ahora no toques los tests",
    "laisse tomber pour l'instant",
    "とりあえず今回だけテストは飛ばしてください。",
  ])("order, report or question: %s", (text) => {
    expect(textsOf(text)).toEqual([]);
  });

  it.each([
    ["a guess", "I think I might try Svelte. Maybe I live in the wrong city."],
    ["a wish", "I would love to visit Rome. I wish I had a dog."],
    ["a condition", "If I live in Rome, I am happy."],
    ["a question", "Do I live in Rome? I live in Rome?"],
    ["reported speech", 'She said "I live in Rome". He told me, I am a fool.'],
    ["other people", "My friend Bob lives in Rome. He is a doctor."],
    ["a role", "Pretend I am a pirate. I live on a ship."],
    ["a joke", "I am a millionaire. Just kidding!"],
    ["a text to translate", 'Translate this: "I live in Berlin and I love cats"'],
    ["a story", "Write a short story. I live in a castle."],
    ["a mood", "I am tired. I'm good, thanks. I have a question. I have to go."],
    ["a reference without its object", "I like it. I love that. I have one too."],
    ["a compliment", "I love your dress. I like you."],
    ["a fault", "The database is broken. The deploy script is not working."],
    ["the task at hand", "I want to add a button. I'm working on a fix. I have a function that returns it."],
    ["a hypothetical in French", "imagine qu'on utilise toujours MongoDB, ça changerait quoi"],
    [
      "a review that was pasted",
      "The handler never closes the connection when the request is aborted, so every retry opens a new one. Consider closing the connection in the finally block, and avoid swallowing the exception there.",
    ],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(textsOf(text)).toEqual([]);
  });

  it("ends with a role-play", () => {
    const turns = [
      said("Let's role-play: you are a captain."),
      said("I live on a ship."),
      said("Okay, stop the role-play."),
      said("I live in Lisbon."),
    ];
    expect(extractFacts(turns).map((fact) => fact.text)).toEqual(["I live in Lisbon"]);
  });
});

describe("text that the person did not write", () => {
  it.each([
    ["a block of memories", "## What you know about this user\n\nAbout user:\n- I live in Paris\n\nI live in Lisbon."],
    ["tags", "<memory>I live in Paris.</memory>\nI live in Lisbon."],
    ["a fence", "```\nI live in Paris.\n```\nI live in Lisbon."],
    ["a quotation", "> I live in Paris.\n\nI live in Lisbon."],
    ["a reminder in front", '<system-reminder kind="x">\nI live in Paris.\n</system-reminder>\nI live in Lisbon.'],
    ["a summary up to the end", "I live in Lisbon.\n## Session Summary (Compaction Round 1)\nI live in Paris."],
    ["a tag that is not closed", "I live in Lisbon.\n<memory>\nI live in Paris."],
  ])("gives no facts: %s", (_, text) => {
    expect(textsOf(text)).toEqual(["I live in Lisbon"]);
  });

  it("gives no facts if it is marked as synthetic, in whole or in part", () => {
    expect(textsOf("I live in Paris.", { synthetic: true })).toEqual([]);
    const text = "I live in Paris. I live in Lisbon.";
    expect(textsOf(text, { synthetic: [{ start: 0, end: 16 }] })).toEqual(["I live in Lisbon"]);
  });

  it("gives no facts if a tool or an assistant wrote it", () => {
    const turns = [said("I live in Paris.", { role: "tool" }), said("I live in Rome.", { role: "assistant" })];
    expect(extractFacts(turns)).toEqual([]);
  });

  it("is not hidden by invisible characters", () => {
    expect(extractFacts([said("I\u200b live in Lis\u200bbon.")])).toMatchObject([
      { text: "I live in Lisbon", source: { quote: "I live in Lisbon" } },
    ]);
  });
});

it("a fact with a secret is dropped, unless secrets are kept", () => {
  const text = "I use Terraform with DB_PASSWORD=hunter2!secret";
  expect(textsOf(text)).toEqual([]);
  expect(extractFacts([said(text)], { keepSecrets: true })).toHaveLength(1);
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    ...["I live in Lisbon. ", "I'm a nurse, ", "my dog is called Bo", "we use pnpm ", "maybe ", "\n", "```\n", "> "],
    ...['"', "<memory>", "</memory>", "## Memory\n", "and I ", "’", "\u200b", "😀", "?", "... ", "I ", "because "],
    ...["always ", "never ", "it ", "我住在杭州，", "(", ")", "is "],
  );
  const anyText = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
  );

  it("gives at most five facts, each quoted from it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const visible = text.replace(/\u200b/g, "");
        const facts = extractFacts([said(text)]);
        expect(facts.length).toBeLessThanOrEqual(5);
        for (const fact of facts) {
          expect(visible).toContain(fact.source.quote);
          expect(["identity", "preference", "project"]).toContain(fact.category);
        }
      }),
    );
  });

  it("gives nothing of what was marked as synthetic", () => {
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
