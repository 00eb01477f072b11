import { describe, expect, it } from "vitest";
import { openMemory } from "../open-memory.fixture.ts";

/** Texts of the memories recalled for a question, from a store with these facts. */
async function found(facts: readonly string[], question: string): Promise<readonly string[]> {
  const { memory } = await openMemory();
  for (const text of facts) await memory.remember({ text });
  return (await memory.recall(question)).map(({ text }) => text);
}

describe("a question", () => {
  it.each([
    [["Meine Schwester wohnt in Leipzig.", "Wir treffen uns dienstags."], "Wie heißt mein Hund?"],
    [["Mi hermana vive en Valencia.", "Publicamos los martes."], "¿Cómo se llama mi perro?"],
    [["我妹妹住在成都。", "我们星期二发布。"], "我的狗叫什么名字？"],
    [["妹は仙台に住んでいます。"], "犬の名前は何ですか？"],
  ])("brings nothing for the articles and pronouns of its language: %# %s", async (facts, question) => {
    expect(await found(facts, question)).toEqual([]);
  });

  it("finds a word behind an elided article", async () => {
    const facts = ["L'équipe d'Amélie s'occupe de l'authentification.", "On publie les versions le mardi."];
    expect(await found(facts, "Qui s'occupe d'authentification ?")).toEqual([facts[0]]);
  });
});

const TOOLS = [
  "We switched from ESLint to Biome.",
  "Deploys go out on Fridays after the tests.",
  "The billing service is written in Rust.",
  "Anna prefers tabs over spaces.",
  "The office is closed in August.",
  "We use PostgreSQL 16 for the shop.",
  "Backups run at 02:00.",
];

describe("a question for a tool by its purpose", () => {
  it.each([1, 3, TOOLS.length])("finds it by a part of its name among %s memories", async (count) => {
    const { memory } = await openMemory();
    for (const text of TOOLS.slice(0, count)) await memory.remember({ text });
    const [hit, ...others] = await memory.recall("which linter do we use?");
    expect(hit?.text).toBe(TOOLS[0]);
    expect(hit?.reasons).toContain("“linter” read as “lint”");
    expect(others).toEqual([]);
  });

  it("finds it by meaning if the word vectors know its name", async () => {
    const hits = await found(TOOLS, "which database do we use?");
    expect(hits).toEqual(["We use PostgreSQL 16 for the shop."]);
  });

  it.each(["which database do we use?", "which package manager do we use?", "what is my favorite color?"])(
    "returns nothing if nothing is known: %s",
    async (question) => {
      expect(await found(TOOLS.slice(0, 5), question)).toEqual([]);
    },
  );
});
