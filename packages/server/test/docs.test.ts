import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ensureProgram, programs } from "../../../tools/ensure-program.mjs";
import { packageFolder } from "../../throughline/test/built.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer();
const text = readFileSync(path.join(packageFolder, "..", "..", "docs", "server.md"), "utf8");

/** Each block: a command, and a piece of what it answers as a comment behind it. */
const examples = [...text.matchAll(/^```sh\n([\s\S]*?)\n# (.*)\n```$/gm)].map(([, command = "", answer = ""]) => ({
  command,
  answer,
}));

describe("the commands in docs/server.md", () => {
  it("have an output in every block", () => {
    expect(examples.length).toBeGreaterThan(10);
    expect(text.match(/^```sh$/gm)).toHaveLength(examples.length);
  });

  // One after the other, as a reader would.
  it.each(examples)("work: $command", async ({ command, answer }) => {
    const curl = await ensureProgram(programs.curl);
    const own = command.replaceAll("http://127.0.0.1:4870", server.url).replace(/^curl/, `'${curl}'`);
    expect(own).toContain(`${curl}' -s`);
    const { stdout } = await promisify(execFile)("sh", ["-c", own]);
    expect(stdout).toContain(answer);
  });
});
