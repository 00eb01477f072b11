import { describe, expect, it } from "vitest";
import type { RememberInput } from "../memory-api.ts";
import { openMemory } from "../open-memory.fixture.ts";

const FACTS: readonly (RememberInput & { readonly text: string })[] = [
  { text: "Consul resolves the addresses of all services.", aliases: ["service registry"] },
  { text: "Vault stores the credentials of the pipelines.", aliases: ["hvac"] },
  { text: "The quarterly audit starts on the first Monday.", aliases: ["QA4"] },
  { text: "Penelope Marsh leads the warehouse team.", aliases: ["Penny"] },
  { text: "Invoices are numbered without gaps." },
  { text: "I prefer short answers." },
  { text: "Five reviewers look at each design." },
  { text: "Dashboards live in Metabase.", aliases: ["reports"] },
];

async function openFacts() {
  const { memory } = await openMemory();
  for (const fact of FACTS) await memory.remember(fact);
  return memory;
}

/** First words of the memories recalled for a question. */
async function found(question: string): Promise<readonly string[]> {
  const memory = await openFacts();
  const hits = await memory.recall(question, { from: "memories" });
  return hits.map(({ text }) => text.split(" ").slice(0, 2).join(" "));
}

describe("recall by names", () => {
  it.each([
    ["restart consul on node four", "Consul resolves"],
    ["is the service registry healthy", "Consul resolves"],
    ["can penny sign the delivery note", "Penelope Marsh"],
    ["when does the quarterly audit end", "The quarterly"],
  ])("finds a memory by its name or alias: %s", async (question, wanted) => {
    expect(await found(question)).toEqual([wanted]);
  });

  it.each([
    ["restart consull on node four", "Consul resolves"],
    ["Penelpoe is on vacation", "Penelope Marsh"],
    ["open metabsae for me", "Dashboards live"],
  ])("finds a memory by a name with one edit: %s", async (question, wanted) => {
    expect(await found(question)).toEqual([wanted]);
  });

  it("does not correct a name with capitals inside", async () => {
    const { memory } = await openMemory();
    await memory.remember({ text: "Tarbin packs the archives." });
    expect(await memory.recall("how do I install tarbix")).toHaveLength(1);
    expect(await memory.recall("how do I install TarBix")).toEqual([]);
  });

  it.each(["how do we run the tests", "how can I lint this", "which command runs the tests"])(
    "finds the commands of a workflow before texts that mention them: %s",
    async (question) => {
      const { memory } = await openMemory();
      const commands = "Before a push (4 times in 3 sessions):\nmise run fmt\nmise run lint\nmise run test\ngit push";
      await memory.remember({ text: commands, kind: "workflow", title: "push" });
      await memory.remember({ text: "Failing tests on the main branch (2026-02-04)", kind: "episode" });
      await memory.ingest({
        sessionId: "s",
        messages: [
          "All tests pass now.",
          "The tests race: two of them change the folder.",
          "Match the style of the tests.",
        ].map((text) => ({ role: "assistant", text })),
      });
      const [first] = await memory.recall(question);
      expect(first?.text).toBe(commands);
    },
  );

  it("returns no workflow for a question that shares one word with it", async () => {
    const { memory } = await openMemory();
    await memory.remember({
      text: "Before a push:\nmise run lint\nmise run test\ngit push",
      kind: "workflow",
      title: "push",
    });
    expect(await memory.recall("how do I push the release notes to the marketing calendar of Prague")).toEqual([]);
  });

  it("returns memories for each of several names", async () => {
    const hits = await found("overview with links to Consul, hvac and Metabase, signed by Penny");
    expect([...hits].sort()).toEqual(["Consul resolves", "Dashboards live", "Penelope Marsh", "Vault stores"]);
  });

  it("finds a match for the one specific term of a long question", async () => {
    const question = `so this morning was strange, first the bus was late, then it rained, the coffee machine broke and my
      sister called about the garden, and when I finally sat down I saw that metabase shows last year's numbers, is there
      anything that I can do about it before lunch`;
    expect(await found(question)).toEqual(["Dashboards live"]);
  });

  it.each([
    "what do you use for this kind of thing",
    "which of the two would you prefer",
    "explain it like I'm five",
    "which database do we use",
    "how tall is the Eiffel tower",
    "start a new folder",
  ])("brings nothing for broad words and unknown things: %s", async (question) => {
    expect(await found(question)).toEqual([]);
  });

  it.each([
    ["Which branch do we deploy from?", "Deploys happen from the main branch."],
    ["What color is the logo?", "The logo has the color teal."],
    ["Wo liegt das Archiv?", "Das Archiv liegt im Keller."],
  ])("finds a memory that is alone in its store: %s", async (question, text) => {
    const { memory } = await openMemory();
    await memory.remember({ text });
    expect((await memory.recall(question)).map((hit) => hit.text)).toEqual([text]);
    expect(await memory.recall("Who sings the national anthem?")).toEqual([]);
  });

  it("reports the alias, word or correction that matched", async () => {
    const memory = await openFacts();
    const reasons = async (question: string) => (await memory.recall(question))[0]?.reasons;
    expect(await reasons("is the service registry healthy")).toContain("also called “service registry”");
    expect(await reasons("restart cosnul")).toContain("“cosnul” read as “consul”");
    expect(await reasons("use metabase to look at it")).toContain("matches “metabase”");
  });
});

describe("recall in the question's own language", () => {
  const SPOKEN = [
    "Desplegamos el servidor los viernes por la tarde.",
    "La oficina de Sevilla cierra en agosto.",
    "Wir speichern Rechnungen in PostgreSQL.",
    "Der Drucker steht im dritten Stock.",
    "我们使用 PostgreSQL 作为主数据库。",
    "每周五下午部署服务器。",
    "Nous utilisons Vitest pour les tests unitaires.",
  ];

  it.each([
    ["¿Cuándo desplegamos el servidor?", "Desplegamos el servidor los viernes por la tarde."],
    ["¿Cuándo cierra la oficina?", "La oficina de Sevilla cierra en agosto."],
    ["Wo steht der Drucker?", "Der Drucker steht im dritten Stock."],
    ["Wo werden die Rechnungen gespeichert?", "Wir speichern Rechnungen in PostgreSQL."],
    ["什么时候部署服务器？", "每周五下午部署服务器。"],
    ["主数据库是什么？", "我们使用 PostgreSQL 作为主数据库。"],
    ["Avec quoi faisons-nous les tests unitaires ?", "Nous utilisons Vitest pour les tests unitaires."],
  ])("finds first what answers it: %s", async (question, wanted) => {
    const { memory } = await openMemory();
    for (const text of SPOKEN) await memory.remember({ text });
    const hits = (await memory.recall(question)).map(({ text }) => text);
    expect(hits[0]).toBe(wanted);
    expect(hits.length).toBeLessThanOrEqual(2);
  });

  it.each(["¿Quién ganó el partido de ayer?", "Wie wird das Wetter morgen?", "今天天气怎么样？"])(
    "returns nothing without an answer: %s",
    async (question) => {
      const { memory } = await openMemory();
      for (const text of SPOKEN) await memory.remember({ text });
      expect(await memory.recall(question)).toEqual([]);
    },
  );
});

/** Stores two utterances about one topic. The result gives the speaker of the best hit for a question. */
async function openTalk(projectId?: string): Promise<(question: string) => Promise<string | undefined>> {
  const { memory } = await openMemory(projectId === undefined ? {} : { projectId });
  await memory.ingest({
    sessionId: "s",
    messages: [
      { role: "user", text: "The importer drops empty rows, please look at it." },
      { role: "assistant", text: "Fixed: the importer drops empty rows because the parser trims them first." },
    ],
  });
  return async (question) => (await memory.recall(question, { cut: "none" }))[0]?.source.speaker;
}

describe("the person of a question", () => {
  it('is the user for "I", and undefined for "we"', async () => {
    const first = await openTalk();
    expect(await first("Why did my importer drop empty rows, was it the parser?")).toBe("user");
    expect(await first("Why did our importer drop empty rows, was it the parser?")).toBe("assistant");
  });

  it("is undefined for questions about work in a project", async () => {
    const first = await openTalk("importer");
    expect(await first("Why did my importer drop empty rows, was it the parser?")).toBe("assistant");
  });

  it("is not the user for an episode of a session", async () => {
    const { memory } = await openMemory();
    await memory.remember({ kind: "episode", text: "Moved the importer to streams. Asked: make the importer faster." });
    await memory.remember({ text: "My importer runs on Mondays." });
    const hits = await memory.recall("When does my importer run?", { cut: "none" });
    const about = hits.filter(({ reasons }) => reasons.includes("about the user"));
    expect(about.map(({ text }) => text)).toEqual(["My importer runs on Mondays."]);
  });
});

describe("scores of recall", () => {
  it("are comparable across stores: the hit with the words of the question ranks first", async () => {
    const ask = async (texts: readonly string[]) => {
      const { memory } = await openMemory();
      const messages = texts.map((text) => ({ role: "user", text }));
      await memory.ingest({ sessionId: "s", messages });
      return (await memory.recall("Why does the parser trim empty rows?", { cut: "none" }))[0]?.score ?? 0;
    };
    const talk = Array.from({ length: 40 }, (_, at) => `The garden needs water on day ${at}.`);
    const right = await ask([...talk, "The parser trims empty rows because the exporter pads them."]);
    expect(right).toBeGreaterThan(await ask(["The rows of seats were empty in the theatre."]));
  });
});

describe("recall in a project", () => {
  const SAID = [
    "The login form checks the email address.",
    "The build cache lives on the runner.",
    "The error page shows a request id.",
    "The release script tags the commit.",
    "The unit tests need a database.",
    "Invoices are sent as PDF files.",
    "The importer reads CSV rows in batches.",
    "The search index is rebuilt every night.",
    "Passwords are hashed with bcrypt.",
    "The mobile client retries failed uploads.",
    "Feature branches are merged by squash.",
    "The worker queue has three priorities.",
  ];

  it.each([
    [undefined, 1],
    ["shop", 0],
  ])("needs more than one common word of the work: project %s", async (projectId, count) => {
    const { memory } = await openMemory(projectId === undefined ? {} : { projectId });
    for (const text of SAID) await memory.ingest({ sessionId: text, messages: [{ role: "user", text }] });
    expect(await memory.recall("How are uploads scanned for viruses?")).toHaveLength(count);
    expect(await memory.recall("Which uploads does the mobile client retry?")).toHaveLength(1);
  });
});

describe("recall in long sessions", () => {
  it("returns nothing if the specific words of a question are unknown", async () => {
    const { memory } = await openMemory();
    const topics = ["the login form", "the build cache", "the error page", "the release script", "the unit tests"];
    const messages = Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      text: `Step ${at}: I changed ${topics[at % 5]} and the command runs in ${at} seconds now.`,
    }));
    await memory.ingest({ sessionId: "s", messages });
    expect(await memory.recall("Which Kubernetes namespace hosts the gateway?")).toEqual([]);
    expect(await memory.recall("Why does the penetration test command fail?")).toEqual([]);
    expect((await memory.recall("What did I change in the release script?")).length).toBeGreaterThan(0);
  });
});
