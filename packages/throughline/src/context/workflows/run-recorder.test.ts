import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../../internal/find-secrets.ts";
import { tool } from "../../ledger/session.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { anyWork, edited, ran } from "../episodes/session.arbitrary.ts";
import { withoutSecrets } from "../episodes/session-recorder.ts";
import { RunRecorder, type StepRun } from "./run-recorder.ts";

function runsOf(...messages: (Message | Message[])[]): readonly StepRun[] {
  const recorder = new RunRecorder();
  for (const message of messages.flat()) recorder.add(withoutSecrets(message));
  return recorder.runs;
}

describe("the run of a session", () => {
  it("has its steps in order, with status and output", () => {
    const runs = runsOf(
      ran("ls"),
      ran("pnpm test", "!TypeError: x is undefined"),
      ran("pnpm build"),
      ran("git status"),
    );
    expect(runs).toEqual([
      { step: "test", command: "pnpm test", outcome: "failed", says: "TypeError: x is undefined" },
      { step: "build", command: "pnpm build", outcome: "ok" },
    ]);
  });

  it("includes changed files and auxiliary commands before each step", () => {
    const runs = runsOf(ran("pnpm test", "!no"), edited("/app/src/auth.ts"), ran("rm -rf .cache"), ran("pnpm test"));
    expect(runs[1]).toMatchObject({ outcome: "ok", edited: ["auth.ts"], aside: ["rm -rf .cache"] });
  });

  it("shows a nested command as typed", () => {
    const runs = runsOf(ran("pnpm test", "!no"), ran("export TOKEN=$(cat ~/.fly/name) && pnpm test"));
    expect(runs[1]).toMatchObject({ aside: ["export TOKEN=$(cat ~/.fly/name)"] });
  });

  it("has paths relative to the working folder", () => {
    const recorder = new RunRecorder("/home/ada/shop");
    const typed = [
      "/home/ada/shop/bin/shop seed --db=/home/ada/shop/dev.db",
      "go test /home/ada/shop/cart/...",
      "/home/ada/shop-old/bin/shop seed",
    ];
    for (const message of typed.flatMap((command) => ran(command))) recorder.add(message);
    expect(recorder.runs.map(({ command }) => command)).toEqual([
      "./bin/shop seed --db=dev.db",
      "go test cart/...",
      "/home/ada/shop-old/bin/shop seed",
    ]);
  });

  it("has unknown status for chained commands, unfinished ones and denied ones", () => {
    expect(runsOf(ran("pnpm test && pnpm build", "!no")).map(({ outcome }) => outcome)).toEqual(["unsure", "unsure"]);
    expect(runsOf(ran("pnpm test").slice(0, 1))).toMatchObject([{ outcome: "unsure" }]);
    const refused = tool("Bash", { command: "git push" }, "!The user doesn't want to proceed");
    expect(runsOf(refused)).toMatchObject([{ step: "push", outcome: "unsure" }]);
  });

  it("blanks secrets, by their form and by the flags that take them", () => {
    const key = `sk-ant-${"Ab3dEf6hIj9k".repeat(3)}`;
    const runs = runsOf(
      ran(`npm publish --token ${key}`, `!Error: ${key} is not valid`),
      ran("helm upgrade app --password hunter2 --set a=b"),
      ran("curl -u ada:hunter2 https://app.example.com/health"),
      ran("helm install app --token=hunter2"),
    );
    expect(JSON.stringify(runs)).not.toMatch(/hunter2|sk-ant-Ab3/);
    expect(runs[1]?.command).toBe("helm upgrade app --password **** --set a=b");
  });

  it("is bounded for long sessions", () => {
    const runs = runsOf(...Array.from({ length: 1_000 }, (_, i) => ran(`pnpm test file${i}`)));
    expect(runs).toHaveLength(400);
    expect(runs.at(-1)?.command).toBe("pnpm test file999");
  });

  it("is deterministic, one line per step, without secrets", () => {
    fc.assert(
      fc.property(anyWork, (messages) => {
        const runs = runsOf(...messages);
        expect(runsOf(...messages)).toEqual(runs);
        for (const { command } of runs) {
          expect(command).not.toMatch(/\n/);
          expect(findSecrets(command)).toEqual([]);
        }
      }),
    );
  });
});
