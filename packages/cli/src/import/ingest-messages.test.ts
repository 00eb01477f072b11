import type { Message } from "throughline";
import { describe, expect, it } from "vitest";
import { inProcessStore } from "../../../throughline/src/store/in-process.ts";
import { createThroughline } from "../../../throughline/src/throughline.ts";
import { SavedMessages } from "./ingest-messages.ts";

const BASE = { sessionId: "s", createdAt: 0 };

/** True if the user's message counts as saved after this call with this answer. */
async function isSaved(toolName: string, input: unknown, answer?: string): Promise<boolean> {
  const { memory } = await createThroughline({ store: inProcessStore() });
  const kept = (await memory.remember({ text: "Use pnpm." })).memory.id;
  const value = answer ?? `Saved.\n> Use pnpm. (${kept})`;
  const messages = [
    { ...BASE, id: "u1", role: "user", parts: [{ type: "text", text: "Please always use pnpm, never npm." }] },
    { ...BASE, id: "a1", role: "assistant", parts: [{ type: "tool-call", toolCallId: "t1", toolName, input }] },
    {
      ...BASE,
      id: "r1",
      role: "tool",
      parts: [{ type: "tool-result", toolCallId: "t1", toolName, output: { type: "text", value } }],
    },
  ] as unknown as readonly Message[];
  const saved = new SavedMessages();
  for (const message of messages) saved.add(message);
  return (await saved.among(messages, memory)).has("u1");
}

describe("SavedMessages", () => {
  it.each([
    ["mcp__throughline__remember", true],
    ["mcp_throughline_remember", true],
    ["throughline__remember", true],
    ["throughline_remember", true],
    ["throughline-remember", true],
    ["remember", false],
    ["mcp__notes__remember", false],
    ["mcp__throughline__recall", false],
    ["mcp__throughline_notes__remember", false],
  ])("knows the tool by the name of its server: %s", async (name, expected) => {
    expect(await isSaved(name, { text: "Use pnpm." })).toBe(expected);
  });

  it.each([
    ["throughline", true],
    ["notes", false],
  ])("knows the server of a tool for all servers: %s", async (server_name, expected) => {
    expect(await isSaved("use_mcp_tool", { server_name, tool_name: "remember", arguments: "{}" })).toBe(expected);
  });

  it.each<[string | readonly string[], boolean]>([
    ["throughline remember 'Use pnpm.'", true],
    ["cd shop && throughline --data /srv/data remember -p . 'Use pnpm.'", true],
    ["npx -y throughline@latest remember 'Use pnpm.'", true],
    ["npx @throughline/cli remember 'Use pnpm.'", true],
    ["pnpm exec throughline remember 'Use pnpm.'", true],
    ["THROUGHLINE_DATA=/srv/data /usr/local/bin/throughline remember 'Use pnpm.'", true],
    ["/usr/bin/node /opt/cli/dist/bin.js remember 'Use pnpm.'", true],
    ["echo 'Use pnpm.' | throughline remember -", true],
    [["bash", "-lc", "throughline remember 'Use pnpm.'"], true],
    ["cd ~/src/throughline && git commit -m 'fix: remember tool'", false],
    ["cd ~/src/throughline && ./tools/remember all", false],
    ["throughline recall remember", false],
    ["throughline --data remember memories", false],
    ["echo throughline remember", false],
    ["grep -rn 'throughline remember' docs", false],
  ])("knows the command line by program and subcommand: %s", async (command, expected) => {
    expect(await isSaved("Bash", { command })).toBe(expected);
  });

  it("counts only memories of this store", async () => {
    const tool = "mcp__throughline__remember";
    expect(await isSaved(tool, {}, "Saved.\n> Use pnpm. (mem_0mwhp5h4cf5d6f19e077dc9c2)")).toBe(false);
    expect(await isSaved(tool, {}, "Saved.")).toBe(false);
  });
});
