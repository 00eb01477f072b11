import { describe, expect, it } from "vitest";
import type { AssembleOptions } from "./context-api.ts";
import { type OpenContext, openContext, openProject, textsById } from "./open-context.fixture.ts";

const LOGIN = "src/auth/login.ts";
const MAIL = "src/mail/ids.ts";

/** Decisions about the current work in an assembled context. */
async function decisions({ context, memory }: OpenContext, options: AssembleOptions): Promise<string> {
  const { receipt, context: text } = await context.assemble(options);
  const texts = await textsById(memory);
  const decided = receipt.items.filter(({ rule }) => rule === "active-decision").map(({ id }) => texts.get(id) ?? "");
  for (const one of decided) expect(text).toContain(one);
  return decided.join("\n");
}

describe("a session that starts without a message", () => {
  it("continues where the last one left off", async () => {
    const opened = await openProject();
    expect(await decisions(opened, {})).toBe("");
    await opened.context.observe({ fileOpened: MAIL, sessionId: "s0" });
    opened.clock.pass(60_000);
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    expect(await decisions(opened, { signals: { sessionId: "s2" } })).toContain("ADR-50");
    expect(await decisions(opened, { signals: { sessionId: "s2" } })).not.toContain("ADR-35");
    expect(await decisions(opened, {})).toContain("ADR-50");
  });

  it("repeats the request of the last session only if its work is unfinished and nothing else says it", async () => {
    const told = async (outcome: string, asked = "give every invoice a footer") => {
      const { context, memory } = await openContext();
      await context.observe({ fileOpened: LOGIN, sessionId: "s1" });
      const text = `Add a footer\nOutcome: ${outcome}\nAsked: ${asked}\nDecided and found:\n- Fine.`;
      await memory.remember({ kind: "episode", title: "Add a footer", text, source: { sessionId: "s1" } });
      return (await context.assemble({ signals: { sessionId: "s2" } })).context;
    };
    expect(await told("Partly done.")).toContain("Partly done.\n  Asked: give every invoice a footer\n");
    expect(await told("Done.")).not.toContain("Asked:");
    expect(await told("Partly done.\nNext: style it", "Style it")).not.toContain("Asked:");
    expect(await told("Partly done.", "Implement this plan: \\# Add a footer")).not.toContain("Asked:");
    expect(await told("Not done.\nNext: add a footer")).not.toContain("Next:");
  });

  it("gets utterances of the last session only if they are clear on their own", async () => {
    const { context, memory } = await openContext();
    await context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    const source = { sessionId: "s1", messageId: "m1" };
    for (const text of ["The staging server is called heron.", "I think we should start from the main branch."]) {
      await memory.remember({ text, source });
    }
    const told = async (options: AssembleOptions = {}) =>
      (await context.assemble({ ...options, signals: { sessionId: "s2" } })).context;
    expect(await told()).toContain("called heron");
    expect(await told()).not.toContain("main branch");
    expect(await told({ message: "Which branch should we start from?" })).toContain("main branch");
  });

  it("continues with its own files if it has some", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    opened.clock.pass(60_000);
    await opened.context.observe({ fileOpened: MAIL, sessionId: "s2" });
    expect(await decisions(opened, { signals: { sessionId: "s1" } })).toContain("ADR-50");
  });

  it("resumes from the last used files, not the first ones", async () => {
    const opened = await openProject();
    const others = Array.from({ length: 14 }, (_, at) => `docs/page${at}.md`);
    for (const fileOpened of [LOGIN, ...others, LOGIN]) await opened.context.observe({ fileOpened, sessionId: "s1" });
    expect(await decisions(opened, {})).toContain("ADR-50");
  });

  it("resumes the last session on its branch, and none on a new branch", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1", branch: "ada/login" });
    opened.clock.pass(60_000);
    await opened.context.observe({ fileOpened: MAIL, sessionId: "s2", branch: "ada/mail" });
    const onBranch = (branch: string) => decisions(opened, { signals: { branch } });
    expect(await onBranch("ada/login")).toContain("ADR-50");
    expect(await onBranch("ada/mail")).toContain("ADR-35");
    expect(await onBranch("main")).toContain("ADR-35");
    expect(await onBranch("ada/zebra")).toBe("");
  });

  it("ignores a session with a wrong clock", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: MAIL, sessionId: "s0", at: Date.UTC(2090, 0) });
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    expect(await decisions(opened, {})).toContain("ADR-50");
  });

  it.each([{ recentFiles: [] }, { recentErrors: [] }, { currentFile: " " }])(
    "shows no files for %j",
    async (signals) => {
      const opened = await openProject();
      await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
      expect(await decisions(opened, { signals })).toContain("ADR-50");
    },
  );

  it("gets the same context regardless of concurrent sessions", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    const first = await decisions(opened, { signals: { sessionId: "s2" } });
    opened.clock.pass(60_000);
    await opened.context.observe({ fileOpened: MAIL, sessionId: "s3" });
    expect(await decisions(opened, { signals: { sessionId: "s2" } })).toBe(first);
  });

  it("contains nothing of a purged session", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    await opened.throughline.purgeSession("s1");
    expect(await decisions(opened, {})).toBe("");
  });
});

describe("a file with an absolute path", () => {
  it("is resolved in a project that is named by its folder", async () => {
    const { context } = await openContext({ userId: "ada", projectId: "/srv/shop" });
    for (const sessionId of ["s1", "s2", "s3"]) {
      for (const fileOpened of [`/srv/shop/${LOGIN}`, MAIL]) await context.observe({ fileOpened, sessionId });
    }
    const { files } = await context.predict({ fileOpened: `/srv/shop/${LOGIN}` });
    expect(files[0]?.path).toBe(MAIL);
    expect(await context.predict({ fileOpened: LOGIN })).toEqual({
      files,
      memories: [],
      confidence: expect.any(Number),
    });
  });
});

describe("a session with a message", () => {
  it("uses the files that the message names", async () => {
    const opened = await openProject();
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    expect(await decisions(opened, { signals: { currentFile: MAIL } })).not.toContain("ADR-50");
  });

  it("still gets memories that match the question without naming files", async () => {
    const opened = await openProject();
    await opened.memory.ingest({
      sessionId: "s0",
      messages: [{ id: "m1", role: "user", text: "The dentist's number is in the blue book." }],
    });
    await opened.context.observe({ fileOpened: LOGIN, sessionId: "s1" });
    const { context: text } = await opened.context.assemble({ message: "Where is the dentist's number?" });
    expect(text).toContain("“The dentist's number is in the blue book.”");
    expect(text).toContain("ADR-50");
  });
});
