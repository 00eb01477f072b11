import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { assistant, user } from "../../ledger/session.arbitrary.ts";
import { type OpenMemory, openMemory } from "../../memory/open-memory.fixture.ts";
import type { Message } from "../../message/message.ts";
import { QUIET } from "../../ports/logger.ts";
import { anyWork, edited, inSession, MAY, ran } from "../episodes/session.arbitrary.ts";
import type { RecordPorts } from "../episodes/session-record.ts";
import { recordSession } from "../episodes/session-recorder.ts";
import { isWithin } from "./choose-workflows.ts";
import { placeholder } from "./describe-workflow.ts";
import { learnWorkflows, mineWorkflows } from "./learn-workflows.ts";
import { RunRecorder, type SessionRuns } from "./run-recorder.ts";

const COMMANDS = [
  "pnpm test --coverage",
  `docker build -t app:${placeholder("SHA")} .`,
  "./deploy.sh staging",
  "curl -fsS https://staging.example.com/health",
  "./deploy.sh production",
];
const HINT = `To deploy: ${COMMANDS.join(" && ")}`;

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
  return { memory, documents: store.documents, userId: "local", projectId, logger: QUIET };
}

async function deployOf(memory: OpenMemory["memory"]) {
  const workflows = await memory.list({ kinds: ["workflow"] });
  return workflows.find(({ key }) => key === "deploy_request");
}

async function learn(ports: RecordPorts, sessions: readonly Message[][] = SESSIONS) {
  for (const messages of sessions) {
    await recordSession(ports, { sessionId: messages[0]?.sessionId ?? "", messages, folder: "/app" });
  }
  return learnWorkflows(ports);
}

describe("the deploy workflow", () => {
  it("is found among other steps, with trigger, steps and usual time", () => {
    const { workflows, others } = mineWorkflows(SESSIONS.map(runsOf));
    expect(workflows).toHaveLength(1);
    expect(workflows[0]).toMatchObject({ name: "deploy", trigger: "deploy_request", when: "To deploy", times: 3 });
    expect(workflows[0]?.steps).toEqual(["test", "build", "stage", "verify", "prod"]);
    expect(others?.commands).toEqual(["pnpm run storybook"]);
  });

  it("has the usual command of each step, with placeholders for variable parts", () => {
    expect(mineWorkflows(SESSIONS.map(runsOf)).workflows[0]?.commands).toEqual(COMMANDS);
  });

  it("names a fix only if the same command followed the same error twice", () => {
    const fixes = (sessions: readonly Message[][]) => mineWorkflows(sessions.map(runsOf)).workflows[0]?.fixes;
    expect(fixes(SESSIONS)).toEqual([]);
    const again = inSession("deploy-again", deployment(2, "5c6d7e8"), MAY + 4 * DAY);
    expect(fixes([...SESSIONS, again])).toEqual([
      { step: "build", says: "no space left on device", command: "docker system prune -f", times: 2 },
    ]);
  });

  it("is saved at four lengths, and found by a query", async () => {
    const { memory, ports } = await opened();
    expect(await learn(ports)).toEqual({
      counts: { added: 2, updated: 0, unchanged: 0, left: 0 },
      hints: [HINT, "Also run here: `pnpm run storybook`"],
    });
    const workflow = await deployOf(memory);
    expect(workflow).toMatchObject({
      key: "deploy_request",
      levels: { summary: HINT, compressed: HINT, index: "deploy" },
      projectId: "shop",
      byHand: false,
      validFrom: MAY + DAY,
      source: { at: MAY + 3 * DAY },
    });
    expect(workflow?.levels.full).toBe(`To deploy (3 times in 3 sessions, last 2026-05-07):\n${COMMANDS.join("\n")}`);
    const [hit] = await memory.recall("How do we deploy to production?", { kinds: ["workflow"] });
    expect(hit?.memory?.id).toBe(workflow?.id);
  });

  it("is updated in place when it is learned again", async () => {
    const { memory, ports } = await opened();
    await learn(ports);
    const before = await deployOf(memory);
    expect((await learn(ports)).counts).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    expect((await learn(ports, [deployment(4, "7777aaa")])).counts).toMatchObject({ added: 0, updated: 1 });
    expect(await memory.list({ kinds: ["workflow"], all: true })).toHaveLength(2);
    const after = await deployOf(memory);
    expect(after?.id).toBe(before?.id);
    expect(after?.levels.full).toContain("4 times in 4 sessions, last 2026-05-08");
  });

  it("keeps edits of a user: reworded, archived or erased", async () => {
    const { memory, ports } = await opened();
    await learn(ports);
    const { id = "" } = (await deployOf(memory)) ?? {};
    await memory.update(id, { text: "Deploy by the button in the dashboard." });
    expect((await learn(ports, [deployment(4, "7777aaa")])).counts).toMatchObject({ left: 1 });
    expect((await memory.get(id))?.levels.full).toBe("Deploy by the button in the dashboard.");
    await memory.forget(id);
    expect((await learn(ports, [deployment(5, "7777aab")])).counts).toMatchObject({ left: 1 });
    await memory.purge(id);
    expect((await learn(ports, [deployment(6, "7777aac")])).counts).toMatchObject({ left: 1 });
    expect(await deployOf(memory)).toBeUndefined();
  });

  it("is archived when newer sessions no longer follow it, and restored when they do", async () => {
    const { memory, ports } = await opened();
    await learn(ports);
    const { id = "" } = (await deployOf(memory)) ?? {};
    const withoutRecords = { ...ports.documents, list: async () => [] };
    await learnWorkflows({ ...ports, documents: withoutRecords });
    expect((await memory.get(id))?.archivedAt).toBeDefined();
    await learnWorkflows(ports);
    expect((await memory.get(id))?.archivedAt).toBeUndefined();
  });

  it("belongs to the project of its sessions", async () => {
    const { memory, ports, store, clock } = await opened();
    await learn(ports);
    const other = await openMemory({ store, clock, projectId: "elsewhere" });
    expect(await other.memory.list({ kinds: ["workflow"] })).toEqual([]);
    expect((await learnWorkflows(portsOf(other, "elsewhere"))).hints).toEqual([]);
    expect(await deployOf(memory)).toBeDefined();
  });
});

describe("workflows", () => {
  const sessions = fc
    .array(anyWork, { maxLength: 8 })
    .map((all) =>
      all.map((messages, i): SessionRuns => ({ ...runsOf(messages), sessionId: `s${i}`, at: MAY + i * DAY })),
    );

  it("have support: two sessions with the steps in order, or one session three times", () => {
    fc.assert(
      fc.property(sessions, (all) => {
        for (const { steps, times, sessions: many, commands } of mineWorkflows(all).workflows) {
          const holding = all.filter(({ runs }) =>
            isWithin(
              steps,
              runs.map(({ step }) => step),
            ),
          );
          expect(holding.length).toBeGreaterThanOrEqual(many);
          expect(times >= 3 || many >= 2).toBe(true);
          expect(commands).toHaveLength(steps.length);
        }
      }),
    );
  });

  it("do not depend on the order of sessions", () => {
    fc.assert(
      fc.property(sessions, (all) => {
        expect(mineWorkflows(all.toReversed())).toEqual(mineWorkflows(all));
      }),
    );
  });

  it("exclude unique runs and runs that only read", () => {
    const looking = inSession(
      "s",
      Array.from({ length: 9 }, () => [...ran("ls"), ...ran("cat a"), ...ran("git status")]),
    );
    expect(mineWorkflows([runsOf(looking), runsOf(deployment(1, "1a2b3c4"))]).hints).toEqual([]);
  });
});

describe("commands of a project", () => {
  const session = (n: number, ...commands: string[]) =>
    inSession(`s${n}`, [user("Go on."), ...commands.map((command) => ran(command))], MAY + n * DAY);
  const mine = (...sessions: Message[][]) => mineWorkflows(sessions.map(runsOf));

  it("are shown as typed, with their runner", () => {
    const { workflows, others } = mine(
      session(1, "npx vitest run", "CI=1 npx biome check . 2>&1 | tail -5", "git commit -m 'one'"),
      session(2, "npx vitest run", "npx biome check .", "git commit -m 'two'"),
      session(3, "uv run pytest -q", "cd api && uv run pytest -q"),
      session(4, "uv run pytest -q"),
    );
    expect(workflows[0]?.hint).toBe(
      `Before a commit: npx vitest run && npx biome check . && git commit -m "${placeholder("MESSAGE")}"`,
    );
    expect(others?.hint).toBe("Also run here: `uv run pytest -q`");
  });

  it("are recurring ones, without those of one task, version control, other folders, or failures", () => {
    const { others } = mine(
      session(1, "make bench", "go test ./cart -run TestTotal -v", "git fetch", "/tmp/app serve", "make broken"),
      session(2, "make bench", "git fetch", "/tmp/app serve", "/home/ada/tools/shop seed"),
      session(5, "~/tools/shop seed --db=/srv/shop/db", "/home/ada/tools/shop seed"),
      session(6, "~/tools/shop seed --db=/srv/shop/db"),
      inSession("s3", [user("Go on."), ran("make e2e-web", "!no browser"), ran("make e2e-web", "!no browser")], MAY),
      inSession("s4", [user("Go on."), ran("make e2e-web", "!no browser")], MAY),
    );
    expect(others?.commands).toEqual(["make bench"]);
  });

  it("are one workflow if most steps match, with the extra step at the end", () => {
    const push = ["make fmt", "make lint", "make test", "git commit -m 'x'", "git push"];
    const { workflows } = mine(
      session(1, ...push),
      session(2, ...push),
      session(3, ...push),
      session(4, "make build", ...push, "gh pr create --fill"),
      session(5, "make build", ...push, "gh pr create --fill"),
    );
    expect(workflows.map(({ when }) => when)).toHaveLength(1);
    expect(workflows[0]?.commands.at(-1)).toBe("gh pr create --fill");
  });

  it("have no placeholder for a part that names the task", () => {
    const { workflows } = mine(
      session(1, "mise run test", "mise run lint", "git commit -m 'x'"),
      session(2, "mise run test:ci", "mise run lint", "git commit -m 'x'"),
      session(3, "mise run test", "mise run lint", "git commit -m 'x'"),
      session(4, "mise run test:unit", "mise run lint", "git commit -m 'x'"),
    );
    expect(workflows[0]?.commands[0]).toBe("mise run test");
  });
});
