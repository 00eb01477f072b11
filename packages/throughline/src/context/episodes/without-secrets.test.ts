import { describe, expect, it } from "vitest";
import { tool, user } from "../../ledger/session.arbitrary.ts";
import { withoutSecrets } from "./session-recorder.ts";

const KEY = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;

describe("a message that may be learned from", () => {
  it("has no secrets in what was said, asked of a tool, or given back", () => {
    const messages = [
      user(`My key is ${KEY}.`),
      ...tool("Bash", { command: `deploy --token ${KEY}`, env: { list: [KEY] } }, `!bad key ${KEY}`),
      ...tool("Bash", `{"command":"deploy ${KEY}"}`, `${"x ".repeat(20_000)}${KEY} at the end`),
    ];
    const safe = messages.map(withoutSecrets);
    expect(JSON.stringify(safe)).not.toContain("Ab3dEf6h");
    expect(safe.map(({ id, role }) => ({ id, role }))).toEqual(messages.map(({ id, role }) => ({ id, role })));
  });

  it("keeps how a call ended, and the ends of what it gave back", () => {
    const [, failed] = tool("Bash", { command: "x" }, `!first${" line".repeat(20_000)} last`);
    const [part] = failed === undefined ? [] : withoutSecrets(failed).parts;
    expect(part).toMatchObject({ type: "tool-result", output: { type: "error-text" } });
    expect(JSON.stringify(part)).toMatch(/"first line.*line last"/s);
    expect(JSON.stringify(part).length).toBeLessThan(13_000);
  });

  it("leaves no half of a secret if an output is cut", () => {
    for (let shift = 0; shift < 60; shift += 1) {
      const text = `${"y".repeat(12_000 - shift)} ${KEY} ${"z ".repeat(20_000)}`;
      expect(JSON.stringify(tool("Bash", {}, text).map(withoutSecrets))).not.toContain("Ab3dEf6h");
    }
  });
});
