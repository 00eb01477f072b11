import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { longTest } from "../../../throughline/test/long-tests.ts";
import { memoryCommands } from "../../test/cli-in-process.ts";
import { runCli, temporaryFolder } from "../../test/run-cli.ts";

const folder = temporaryFolder();
const SAID = ["Fix the parser in src/parse.ts", "I prefer tabs over spaces.", "Never touch the generated files."];

describe("the OpenCode plugin", () => {
  /** Installed once; all tests use its files, and none changes them. */
  let files: ReturnType<typeof install> | undefined;
  const installed = () => (files ??= install());
  async function install() {
    const [data, cwd] = [folder.fresh("data"), folder.fresh("project")];
    const on = memoryCommands(data);
    await mkdir(cwd);
    const done = await runCli(["init", "opencode", "--dir", cwd, "--data", data, "--yes"]);
    expect(done).toMatchObject({ code: 0, stderr: "" });
    const file = path.join(cwd, ".opencode", "plugins", "throughline.js");
    // Modules are resolved as in OpenCode.
    await writeFile(path.join(cwd, "package.json"), '{"type":"module"}');
    const plugin = await import(pathToFileURL(file).href);
    await on.keep("We deploy on Fridays.", "--project", cwd);
    return { plugin: plugin.default, cwd, on };
  }
  const message = (id: string, role: string, text: string) => ({
    info: { id, sessionID: "ses_1", role, time: { created: 1_700_000_000_000 } },
    parts: [{ id: `prt_${id}`, type: "text", text }],
  });

  longTest("works in OpenCode 1", async () => {
    const { plugin, cwd, on } = await installed();
    const messages = [
      ...SAID.map((text, i) => message(`msg_${i}`, "user", text)),
      message("msg_9", "assistant", "Done."),
    ];
    const client = {
      session: { messages: async () => ({ data: messages }), get: async () => ({ data: { id: "ses_1" } }) },
    };
    const hooks = await plugin.server({ client, directory: cwd });
    const system: string[] = [];
    await hooks["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system });
    expect(system).toEqual([expect.stringMatching(/^<memories>[\s\S]*Fridays/)]);
    const context: string[] = [];
    await hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, { context });
    expect(context).toEqual([
      expect.stringMatching(
        /^Keep the content of the record below in the summary[\s\S]*Never touch the generated files\./,
      ),
    ]);
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    expect(JSON.stringify(await on.json("memories", "--project", cwd))).toContain("I prefer tabs over spaces");
  });

  it("works in OpenCode 2", async () => {
    const { plugin, cwd } = await installed();
    const hooks = new Map<string, (event: object) => Promise<void>>();
    const session = { hook: async (name: string, hook: (event: object) => Promise<void>) => hooks.set(name, hook) };
    expect(plugin.id).toBe("throughline");
    await plugin.setup({ location: { directory: cwd }, session });
    const start = { sessionID: "ses_2", kind: "primary", system: [], messages: [] };
    await hooks.get("context")?.(start);
    expect(start.system).toEqual([{ type: "text", text: expect.stringContaining("Fridays") }]);
    const call = { type: "tool-call", id: "c1", name: "bash", input: { command: "make step7" } };
    const result = { type: "tool-result", id: "c1", name: "bash", result: { type: "text", value: "ok" } };
    const messages = [
      { role: "user", content: [{ type: "text", text: "Fix the parser." }] },
      { role: "assistant", content: [{ type: "reasoning", text: "Hm." }, call] },
      { role: "tool", content: [result] },
    ];
    const compaction = { sessionID: "ses_2", kind: "compaction", system: [], messages };
    await hooks.get("compaction")?.(compaction);
    expect(compaction.system).toEqual([
      { type: "text", text: expect.stringMatching(/Fix the parser\.[\s\S]*make step7/) },
    ]);
  });

  it("does not disturb OpenCode if the command line is missing", async () => {
    const { plugin, cwd } = await installed();
    const file = path.join(cwd, ".opencode", "plugins", "throughline.js");
    const text = (await readFile(file, "utf8")).replace(
      /const PROGRAM = .*/,
      'const PROGRAM = ["/nowhere/throughline"];',
    );
    await writeFile(path.join(cwd, "lost.js"), text);
    const lost = await import(pathToFileURL(path.join(cwd, "lost.js")).href);
    const hooks = await lost.default.server({ client: {}, directory: cwd });
    const [system, context]: string[][] = [[], []];
    await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, { system });
    await hooks["experimental.session.compacting"]({ sessionID: "s" }, { context });
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect([system, context]).toEqual([[], []]);
    expect(plugin.setup).toBeTypeOf("function");
  });
});
