import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import { type OpenMemory, openMemory } from "../../memory/service/open-memory.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import { QUIET } from "../../ports/logger.ts";
import type { RecordPorts } from "../episodes/record-ports.ts";
import { recordSession } from "../episodes/record-session.ts";
import { anyWork, edited, inSession, MAY, ran } from "../episodes/session.arbitrary.ts";
import { placeholder } from "./generalise-command.ts";
import { learnWorkflows, mineWorkflows } from "./learn-workflows.ts";
import { isWithin } from "./mine-sequences.ts";
import { RunRecorder } from "./run-recorder.ts";
import type { SessionRuns } from "./step-run.ts";

const DAY = 86_400_000;
const HINT = "deploy: test→build→stage→verify→prod";

/** A session that brings an app to production, with whatever else is done in one. */
function deployment(n: number, sha: string, noise: readonly (Message | Message[])[] = []): Message[] {
  return inSession(
    `deploy-${n}`,
    [
      user("Please deploy the current main branch."),
      ran("git status"),
      ran("pnpm test --coverage", n === 1 ? "!FAIL src/cart.test.ts" : "12 passed"),
      ...(n === 1 ? [edited("/app/src/cart.ts"), ran("pnpm test --coverage")] : []),
      ran("ls -la dist && cat package.json"),
      ran(`docker build -t app:${sha} .`, n === 2 ? "!no space left on device" : "built"),
      ...(n === 2 ? [ran("docker system prune -f"), ran(`docker build -t app:${sha} .`)] : []),
      ...noise,
      ran("./deploy.sh staging"),
      ran("kubectl get pods"),
      ran("curl -fsS https://staging.example.com/health", '{"status":"up"}'),
      ran("./deploy.sh production"),
      assistant("Deployed to production."),
    ],
    MAY + n * DAY,
  );
}

/** Sessions that have nothing to do with it. */
function otherWork(n: number): Message[] {
  return inSession(
    `other-${n}`,
    [user("Why is the chart empty?"), ran("rg chart src"), edited("/app/src/chart.ts"), ran("pnpm run storybook")],
    MAY + n * DAY,
  );
}

const SESSIONS = [
  deployment(1, "1a2b3c4"),
  otherWork(2),
  deployment(2, "9f8e7d6", [ran("gh pr view 12"), ran("npm run notify")]),
  otherWork(4),
  deployment(3, "0c1d2e3", [ran("git log --oneline | head -3")]),
];

function runsOf(messages: readonly Message[]): SessionRuns {
  const recorder = new RunRecorder();
  for (const message of messages) recorder.add(message);
  return { sessionId: messages[0]?.sessionId ?? "", at: messages[0]?.createdAt ?? 0, runs: recorder.runs };
}

async function opened(projectId = "shop") {
  const open = await openMemory({ projectId });
  open.clock.time = MAY + 30 * DAY;
  return { ...open, ports: portsOf(open, projectId) };
}

function portsOf({ memory, store }: OpenMemory, projectId: string): RecordPorts {
  return { memory, documents: store.documents, owner: "local", projectId, logger: QUIET };
}

async function learn(ports: RecordPorts, sessions: readonly Message[][] = SESSIONS) {
  for (const messages of sessions) {
    await recordSession(ports, { sessionId: messages[0]?.sessionId ?? "", messages, folder: "/app" });
  }
  return learnWorkflows(ports);
}

describe("the deploy workflow", () => {
  it("is found amid noise, with its trigger, its steps and its hint", () => {
    const [deploy, ...others] = mineWorkflows(SESSIONS.map(runsOf));
    expect(deploy).toMatchObject({ name: "deploy", trigger: "deploy_request", hint: HINT, times: 3, sessions: 3 });
    expect(deploy?.steps).toEqual(["test", "build", "stage", "verify", "prod"]);
    expect(others).toEqual([]);
  });

  it("has the usual command of each step, with placeholders for what varies", () => {
    const [deploy] = mineWorkflows(SESSIONS.map(runsOf));
    expect(deploy?.details).toEqual({
      test: "pnpm test --coverage",
      build: `docker build -t app:${placeholder("SHA")} .`,
      stage: "./deploy.sh staging",
      verify: "curl -fsS https://staging.example.com/health",
      prod: "./deploy.sh production",
    });
  });

  it("remembers a failed step with what helped", () => {
    const [deploy] = mineWorkflows(SESSIONS.map(runsOf));
    expect(deploy?.fixes).toEqual([
      { step: "test", says: "FAIL src/cart.test.ts", ran: [], edited: ["cart.ts"], times: 1 },
      { step: "build", says: "no space left on device", ran: ["docker system prune -f"], edited: [], times: 1 },
    ]);
  });

  it("is remembered at four lengths, and found by who asks for it", async () => {
    const { memory, ports } = await opened();
    expect(await learn(ports)).toEqual({ tally: { added: 1, updated: 0, unchanged: 0, left: 0 }, hints: [HINT] });
    const [workflow] = await memory.list({ kinds: ["workflow"] });
    expect(workflow).toMatchObject({
      key: "deploy_request",
      levels: { summary: HINT, compressed: HINT, index: "deploy" },
      projectId: "shop",
      byHand: false,
      validFrom: MAY + DAY,
      source: { at: MAY + 3 * DAY },
    });
    expect(workflow?.levels.full).toContain(
      "build failed (no space left on device); helped: ran `docker system prune -f`",
    );
    const [hit] = await memory.recall("How do we deploy to production?", { kinds: ["workflow"] });
    expect(hit?.memory?.id).toBe(workflow?.id);
  });

  it("is told anew when it is learned again, and stays one", async () => {
    const { memory, ports } = await opened();
    await learn(ports);
    const [before] = await memory.list({ kinds: ["workflow"] });
    expect((await learn(ports)).tally).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
    expect((await learn(ports, [deployment(4, "7777aaa")])).tally).toMatchObject({ added: 0, updated: 1 });
    const all = await memory.list({ kinds: ["workflow"], all: true });
    expect(all).toHaveLength(1);
    expect(all[0]?.id).toBe(before?.id);
    expect(all[0]?.levels.full).toContain("Seen 4 times in 4 sessions");
  });

  it("stays as a person has made it: reworded, put away, or erased", async () => {
    const { memory, ports } = await opened();
    await learn(ports);
    const [{ id } = { id: "" }] = await memory.list({ kinds: ["workflow"] });
    await memory.update(id, { text: "Deploy by the button in the dashboard." });
    expect((await learn(ports, [deployment(4, "7777aaa")])).tally).toMatchObject({ left: 1 });
    expect((await memory.get(id))?.levels.full).toBe("Deploy by the button in the dashboard.");
    await memory.forget(id);
    expect((await learn(ports, [deployment(5, "7777aab")])).tally).toMatchObject({ left: 1 });
    await memory.purge(id);
    expect((await learn(ports, [deployment(6, "7777aac")])).tally).toMatchObject({ left: 1 });
    expect(await memory.list({ kinds: ["workflow"], all: true })).toEqual([]);
  });

  it("belongs to the project that it was done in", async () => {
    const { memory, ports, store, clock } = await opened();
    await learn(ports);
    const other = await openMemory({ store, clock, projectId: "elsewhere" });
    expect(await other.memory.list({ kinds: ["workflow"] })).toEqual([]);
    expect((await learnWorkflows(portsOf(other, "elsewhere"))).hints).toEqual([]);
    expect(await memory.list({ kinds: ["workflow"] })).toHaveLength(1);
  });
});

describe("workflows", () => {
  const sessions = fc
    .array(anyWork, { maxLength: 8 })
    .map((all) =>
      all.map((messages, i): SessionRuns => ({ ...runsOf(messages), sessionId: `s${i}`, at: MAY + i * DAY })),
    );

  it("are supported by the data: two sessions hold their steps in order, or one does three times", () => {
    fc.assert(
      fc.property(sessions, (all) => {
        for (const { steps, times, sessions: many, details } of mineWorkflows(all)) {
          const holding = all.filter(({ runs }) =>
            isWithin(
              steps,
              runs.map(({ step }) => step),
            ),
          );
          expect(holding.length).toBeGreaterThanOrEqual(many);
          expect(times >= 3 || many >= 2).toBe(true);
          const commands = all.flatMap(({ runs }) => runs);
          for (const step of Object.keys(details)) expect(commands.some((run) => run.step === step)).toBe(true);
        }
      }),
    );
  });

  it("are the same in whatever order the sessions are read", () => {
    fc.assert(
      fc.property(sessions, (all) => {
        expect(mineWorkflows(all.toReversed())).toEqual(mineWorkflows(all));
      }),
    );
  });

  it("are nothing that nobody does twice, and nothing that only looks", () => {
    const looking = inSession(
      "s",
      Array.from({ length: 9 }, () => [...ran("ls"), ...ran("cat a"), ...ran("git status")]),
    );
    expect(mineWorkflows([runsOf(looking), runsOf(deployment(1, "1a2b3c4"))])).toEqual([]);
  });
});
