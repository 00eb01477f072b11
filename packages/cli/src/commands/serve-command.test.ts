import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Environment } from "../config/environment.ts";
import { browserCommand, historySource } from "./serve-command.ts";

describe("the command that opens a browser", () => {
  it("is that of the platform", () => {
    const url = "http://127.0.0.1:4870/?a=1&b=2";
    expect(browserCommand(url, "linux")).toEqual(["xdg-open", url]);
    expect(browserCommand(url, "darwin")).toEqual(["open", url]);
    expect(browserCommand(url, "win32")).toEqual(["cmd", "/c", "start", "", "http://127.0.0.1:4870/?a=1^&b=2"]);
  });
});

const home = mkdtempSync(path.join(tmpdir(), "throughline-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const around: Environment = { env: { THROUGHLINE_EXCLUDE: "/srv/private" }, home, platform: "linux" };

async function record(id: string, cwd: string): Promise<void> {
  const folder = path.join(home, ".claude", "projects", "p");
  await mkdir(folder, { recursive: true });
  const line = { type: "user", uuid: "u1", parentUuid: null, sessionId: id, cwd, isSidechain: false };
  const text = JSON.stringify({ ...line, message: { role: "user", content: `Words of ${id}.` } });
  writeFileSync(path.join(folder, `${id}.jsonl`), `${text}\n`);
}

it("histories are read without excluded folders, and no other files are read", async () => {
  await record("open", "/srv/shop");
  await record("secret", "/srv/private/shop");
  const source = historySource(around);
  const files = await source.list();
  expect(files.map(({ agent, file }) => [agent, path.basename(file)]).toSorted()).toEqual([
    ["claude-code", "open.jsonl"],
    ["claude-code", "secret.jsonl"],
  ]);
  const messages: string[] = [];
  for (const { file } of files)
    for await (const event of source.read(file)) if (event.type === "message") messages.push(event.sessionId);
  expect(messages).toEqual(["open"]);
  const outside = source.read(path.join(home, "other.jsonl"));
  await expect(outside[Symbol.asyncIterator]().next()).rejects.toThrow("Not a history file");
});
