import {
  ABOVE_ZERO,
  CHECKED_LATER,
  CLOCK,
  checkOptions,
  FLAG,
  FUNCTION,
  LOGGER,
  OBJECT,
  type OptionRules,
  STORE,
  TEXT,
  TEXTS,
  withMethods,
} from "./errors/check-options.ts";
import { checkRuntime } from "./internal/check-runtime.ts";
import type { Throughline, ThroughlineOptions } from "./throughline-api.ts";

const CREATE_RULES: OptionRules<ThroughlineOptions> = {
  store: STORE,
  model: CHECKED_LATER,
  onModelCall: FUNCTION,
  embedder: withMethods("an embedder, such as wordEmbedder()", "embed"),
  clock: CLOCK,
  logger: LOGGER,
  tracer: CHECKED_LATER,
  recordContent: FLAG,
  userId: TEXT,
  projectId: TEXT,
  allProjects: TEXTS,
  isSystemReadOnly: FLAG,
  maxIndexBytes: ABOVE_ZERO,
  searchExecutor: withMethods("an executor of searches", "use"),
  workspace: OBJECT,
  activities: OBJECT,
  waitUntil: FUNCTION,
};

/**
 * Creates Throughline for one user: sessions, memory and context over one store.
 *
 * @param options Store, model, embedder, user and project. All are optional: by default data is kept in this process
 *   only, and summaries and facts are written by rules, without a model.
 * @throws InvalidOptionError for unknown options and values of the wrong type.
 * @throws ThroughlineError `unsupported-runtime` in a Node older than 22.13.
 * @throws TokenRanksError if the runtime can neither read nor fetch the token ranks of the package.
 *
 * @example
 * const tl = await createThroughline();
 * const session = tl.session("s1", { modelId: "claude-sonnet-4-5" });
 * await session.append([{ role: "user", content: "Hello" }]);
 * const turn = await session.prepare({ system: "Be brief." });
 */
export async function createThroughline(options: ThroughlineOptions = {}): Promise<Throughline> {
  checkOptions("createThroughline", options, CREATE_RULES);
  checkRuntime();
  // Loaded here: `import "throughline"` stays quick for programs that need only its functions.
  const { openThroughline } = await import("./open-throughline.ts");
  return openThroughline(options);
}
