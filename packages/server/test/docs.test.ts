import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { HTTP_PAGE, renderHttpDocs } from "../../../tools/docs/make-http-docs.mjs";
import { ensureProgram, programs } from "../../../tools/ensure/ensure-program.mjs";
import { packageFolder } from "../../throughline/test/built.ts";
import { apiServer } from "./api-server.ts";

const server = apiServer();
const docs = path.join(packageFolder, "..", "..", "docs");

describe("docs/http.md", () => {
  it("is what `npm run docs:generate` writes", async () => {
    const document = await server.get<Parameters<typeof renderHttpDocs>[0]>("/openapi.json");
    expect(readFileSync(HTTP_PAGE, "utf8"), "Run npm run docs:generate.").toBe(renderHttpDocs(document));
  });
});

/** Each code block: a command, followed by a part of its response as a comment. */
const examplesIn = (text: string) =>
  [...text.matchAll(/^```sh\n(curl[\s\S]*?)\n# (.*)\n```$/gm)].map(([, command = "", answer = ""]) => ({
    command,
    answer,
  }));

describe.each(["server.md", "quick-start/server.md"])("the commands in docs/%s", (page) => {
  const text = readFileSync(path.join(docs, page), "utf8");
  const examples = examplesIn(text);

  it("have an output in every block", () => {
    expect(examples.length).toBeGreaterThan(4);
    expect(text.match(/^```sh\ncurl/gm)).toHaveLength(examples.length);
  });

  // Runs the blocks in order, as a reader would.
  it.each(examples)("work: $command", async ({ command, answer }) => {
    const curl = await ensureProgram(programs.curl);
    const own = command.replaceAll("http://127.0.0.1:4870", server.url).replace(/^curl/, `'${curl}'`);
    expect(own).toContain(`${curl}' -s`);
    const { stdout } = await promisify(execFile)("sh", ["-c", own]);
    expect(stdout).toContain(answer);
  });
});
