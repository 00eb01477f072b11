import { DAY } from "../internal/time.ts";
import type { RememberInput } from "../memory/memory-api.ts";
import type { MemoryService } from "../memory/memory-service.ts";
import { type OpenMemory, type OpenOptions, openMemory } from "../memory/open-memory.fixture.ts";
import { QUIET } from "../ports/logger.ts";
import { ContextEngine, type PredictorPort } from "./context-engine.ts";
import type { ContextService } from "./context-service.ts";

/** A memory service with a context service on it. */
export interface OpenContext extends OpenMemory {
  readonly context: ContextService;
}

const PROJECT = { userId: "ada", projectId: "shop" };

export async function openContext(options: OpenOptions = PROJECT): Promise<OpenContext> {
  const opened = await openMemory(options);
  return { ...opened, context: opened.throughline.context };
}

const NO_PREDICTIONS: PredictorPort = {
  predict: async () => ({ memories: [], files: [], confidence: 0 }),
  observe: async () => undefined,
  lastSession: async () => undefined,
  learnHistory: async () => ({ read: 0, kept: 0 }),
  forgetSession: async () => undefined,
};

/** A context engine on the same memories, with another predictor. Default: one without predictions. */
export function withPrediction(
  { store, memory, clock }: OpenMemory,
  predictor: PredictorPort = NO_PREDICTIONS,
): ContextEngine {
  const ports = {
    memoryStore: store.memories,
    documents: store.documents,
    blobs: store.blobs,
    memory,
    clock,
    logger: QUIET,
    userId: PROJECT.userId,
    projectId: PROJECT.projectId,
  };
  return new ContextEngine(ports, predictor);
}

const file = (ref: string) => ({ type: "file" as const, ref });
const adr = (ref: string) => ({ type: "adr" as const, ref });

const MODULES = ["auth", "payments", "catalog", "search", "shipping", "mail"];
const TOOLS = ["Redis", "Kafka", "Vault", "Prometheus", "Terraform", "Elasticsearch"];

/** Decisions: records of each module, and agreements of the team. */
const DECISIONS: readonly RememberInput[] = [
  ...MODULES.flatMap((name, n): RememberInput[] => [
    {
      text: `ADR-${n + 10}: the ${name} module keeps its state in ${TOOLS[n]} and talks to the others by events only, since direct calls made every release of ${name} wait for all the rest.`,
      artifacts: [adr(`ADR-${n + 10}`), file(`src/${name}/store.ts`)],
    },
    {
      text: `ADR-${n + 30}: identifiers in the ${name} module are opaque strings with a prefix, never numbers.`,
      artifacts: [adr(`ADR-${n + 30}`), file(`src/${name}/ids.ts`)],
    },
  ]),
  {
    text: "ADR-50: login keeps sessions on the server instead of tokens in the browser, because of token size.",
    artifacts: [adr("ADR-50"), file("src/auth/login.ts")],
  },
  { text: "The team decided to ship only on Tuesdays and Thursdays." },
  { text: "The team agreed to support the last two versions of every browser." },
];

const CONVENTIONS: readonly RememberInput[] = [
  {
    text: "All handlers return Result<T, E> and never throw across a module boundary.",
    key: "error_handling",
    value: "Result<T,E> over try-catch",
  },
  {
    text: "Every module has one public file, index.ts, and others import nothing else from it.",
    key: "imports",
    value: "only index.ts",
  },
  ...["dates", "prices", "weights", "colours", "countries", "languages"].map(
    (what): RememberInput => ({
      text: `Values for ${what} must be parsed at the edge and kept in their own type inside.`,
      key: `convention`,
      value: `parse ${what} at the edge`,
    }),
  ),
];

const WORKFLOWS: readonly RememberInput[] = [
  {
    kind: "workflow",
    title: "deploy",
    text: "How the shop is brought to production.",
    steps: ["test", "build", "stage", "verify", "prod"],
  },
  {
    kind: "workflow",
    title: "debug incident",
    text: "How an error in production is looked into.",
    steps: ["logs", "reproduce", "bisect", "fix", "postmortem"],
  },
  {
    kind: "workflow",
    title: "new endpoint",
    text: "How an endpoint comes into being.",
    steps: ["schema", "route", "handler", "test"],
  },
];

const PATTERNS: readonly RememberInput[] = [
  {
    kind: "pattern",
    title: "API endpoint",
    text: "How endpoints are written here.",
    template: {
      route: "{method} /api/{resource}",
      validation: "zod_schema",
      error_handling: "typed_result",
      response: "json_envelope",
    },
  },
  {
    kind: "pattern",
    title: "auth guard",
    text: "How a route of src/auth is protected.",
    template: { guard: "requireSession()", failure: "401_envelope" },
    artifacts: [file("src/auth/guard.ts")],
  },
];

const EPISODES: readonly RememberInput[] = [
  ...MODULES.map(
    (name, n): RememberInput => ({
      kind: "episode",
      title: `${name} rewrite`,
      text: `Rewrote the ${name} module over two days. Replaced the old ${name} queue with ${TOOLS[n]} due to lost messages. Added ${n + 3} integration tests and removed the nightly repair job.`,
      artifacts: [file(`src/${name}/queue.ts`), { type: "commit", ref: `c0ffee${n}` }],
    }),
  ),
];

const TROUBLES: readonly RememberInput[] = [
  {
    text: "TypeError: Cannot read properties of undefined (reading 'id') in src/auth/login.ts; fixed by loading the user before the session.",
    artifacts: [file("src/auth/login.ts")],
  },
  {
    kind: "episode",
    title: "Auth timezone fix",
    text: "Debugged auth flow. Root cause: token expiry check used wrong timezone. Fixed by normalizing to UTC. Added regression test.",
    artifacts: [file("src/auth/expiry.ts")],
  },
  { text: "Known issue: login with a plus sign in the address fails on the second try in src/auth/login.ts." },
  { text: "Tests fail in src/auth/session.test.ts when the clock is set to another zone." },
  { text: "RangeError: Invalid price in src/payments/price.ts when the currency has no minor unit." },
];

const PEOPLE: readonly RememberInput[] = [
  { text: "Mara prefers small pull requests with one commit each.", subject: "Mara" },
  { text: "Tom wants every diagram as text.", subject: "Tom" },
];

const OPEN_POINTS: readonly RememberInput[] = [
  { text: "Open question: should login remember a device for thirty days?" },
  { text: "The payments module is blocked by the review of the bank." },
  { text: "The nightly backup takes 5 minutes." },
  { text: "The nightly backup takes 50 minutes." },
];

/** A project with a history, the last of which was saved a day ago. */
export async function openProject(options?: OpenOptions): Promise<OpenContext> {
  const opened = await openContext(options);
  const past = [
    ...DECISIONS,
    ...CONVENTIONS,
    ...WORKFLOWS,
    ...PATTERNS,
    ...EPISODES,
    ...TROUBLES,
    ...PEOPLE,
    ...OPEN_POINTS,
  ];
  for (const input of past) {
    await opened.memory.remember({ scope: "project-shared", ...input });
    opened.clock.pass(60_000);
  }
  opened.clock.pass(3 * DAY);
  return opened;
}

/** Texts of all memories by id. */
export async function textsById(memory: MemoryService): Promise<ReadonlyMap<string, string>> {
  return new Map((await memory.list({ all: true, limit: 1_000 })).map(({ id, levels }) => [id, levels.full]));
}
