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

describe("what a session did", () => {
  it("is its steps in order, with how each ended and what it said", () => {
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

  it("tells what was changed and what was done on the way before each step", () => {
    const runs = runsOf(ran("pnpm test", "!no"), edited("/app/src/auth.ts"), ran("rm -rf .cache"), ran("pnpm test"));
    expect(runs[1]).toMatchObject({ outcome: "ok", edited: ["auth.ts"], aside: ["rm -rf .cache"] });
  });

  it("tells a command in a command as it was typed", () => {
    const runs = runsOf(ran("pnpm test", "!no"), ran("export TOKEN=$(cat ~/.fly/name) && pnpm test"));
    expect(runs[1]).toMatchObject({ aside: ["export TOKEN=$(cat ~/.fly/name)"] });
  });

  it("has paths below the working folder relative to it", () => {
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

  it("is not sure which of several failed, nor of what was not seen to end or not allowed", () => {
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

  it("is bounded, however long the session", () => {
    const runs = runsOf(...Array.from({ length: 1_000 }, (_, i) => ran(`pnpm test file${i}`)));
    expect(runs).toHaveLength(400);
    expect(runs.at(-1)?.command).toBe("pnpm test file999");
  });

  it("is the same for the same session, on one line each and without secrets", () => {
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
