import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The tools of every agent here: names, JSON schemas and implementations for the current folder. */
export const tools = [
  {
    name: "read",
    description: "Read a file.",
    schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    run: ({ path }) => readFile(path, "utf8"),
  },
  {
    name: "bash",
    description: "Run a command.",
    schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    run: async ({ command }) => {
      const { stdout, stderr } = await promisify(execFile)("bash", ["-c", command]).catch((error) => error);
      return `${stdout}${stderr}` || "(no output)";
    },
  },
  {
    name: "edit",
    description: "Replace a text in a file.",
    schema: {
      type: "object",
      properties: { path: { type: "string" }, old_string: { type: "string" }, new_string: { type: "string" } },
      required: ["path", "old_string", "new_string"],
    },
    run: async ({ path, old_string, new_string }) => {
      const text = await readFile(path, "utf8");
      if (!text.includes(old_string)) throw new Error(`${path} does not contain ${old_string}`);
      await writeFile(path, text.replace(old_string, new_string));
      return "edited";
    },
  },
];

export async function runTool(name, input) {
  const tool = tools.find((one) => one.name === name);
  return tool ? tool.run(input) : `There is no tool ${name}.`;
}

/** Retries if the provider is busy or its stream breaks off, as agents do. */
export async function withRetries(ask) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === 2 || (error.status ?? 500) === 400) throw error;
    }
  }
}
