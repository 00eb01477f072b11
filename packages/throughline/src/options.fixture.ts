import * as aiSdk from "./ai-sdk/ai-sdk.ts";
import * as chat from "./chat/chat.ts";
import * as compaction from "./exports/compact.ts";
import * as memories from "./exports/memory.ts";
import * as messages from "./exports/messages.ts";
import * as tokens from "./exports/tokens.ts";
import * as root from "./index.ts";
import { postgresStore } from "./store/postgres/postgres.ts";
import { readEncryptionKey } from "./store/sql/encryption/encryption-key.ts";
import * as sqlite from "./store/sqlite/sqlite.ts";
import * as tapes from "./test/test.ts";

/** A call that passes options on. */
type Call = (options: never) => unknown;
/** A parameter with options, as `function(parameter)`; the name of the function in errors; and a call. */
export type OptionRow = readonly [parameter: string, place: string, call: Call];

const none = {} as never;
const model = { modelId: "m", generate: async () => ({ text: "" }) };

/** Rows for all parameters with options of the library. */
export async function optionRows(): Promise<readonly OptionRow[]> {
  const tl = await root.createThroughline();
  return [
    ...rootRows(tl),
    ...serviceRows(tl),
    ...(await browserRows(tl)),
    ...compactRows(tl),
    ...chatRows(tl),
    ...memoryRows(),
    ...messageRows(),
    ...tokenRows(),
    ...(await pageRows()),
  ];
}

function rootRows(tl: root.Throughline): readonly OptionRow[] {
  const session = tl.session("s");
  return [
    ["createThroughline(options)", "createThroughline", root.createThroughline],
    ["Throughline.session(options)", "session", (options) => tl.session("t", options)],
    ["Throughline.session(options)", "session (config)", (config) => tl.session("t", { config })],
    ["Throughline.sessions(page)", "sessions", (page) => tl.sessions(page)],
    ["Throughline.purgeSession(options)", "purgeSession", (options) => tl.purgeSession("s", options)],
    ["Session.prepare(options)", "session.prepare", (options) => session.prepare(options)],
    ["Session.compact(options)", "session.compact", (options) => session.compact(options)],
    ["Session.preview(options)", "session.preview", (options) => session.preview(options)],
    ["SessionWindow.pin(options)", "session.window.pin", (options) => session.window.pin(["message:m1"], options)],
    ["SessionWindow.mask(options)", "session.window.mask", (options) => session.window.mask(["message:m1"], options)],
    [
      "SessionWindow.release(options)",
      "session.window.release",
      (options) => session.window.release(["message:m1"], options),
    ],
    ["Session.reportUsage(report)", "session.reportUsage", (report) => session.reportUsage(report)],
    ["aiSdkEmbedder(options)", "aiSdkEmbedder", (options) => root.aiSdkEmbedder(none, options)],
    ["openAiCompatibleModel(options)", "openAiCompatibleModel", root.openAiCompatibleModel],
    ["openAiCompatibleEmbedder(options)", "openAiCompatibleEmbedder", memories.openAiCompatibleEmbedder],
    ["transformersEmbedder(options)", "transformersEmbedder", root.transformersEmbedder],
    ["wordEmbedder(options)", "wordEmbedder", root.wordEmbedder],
    ["repairWindow(options)", "repairWindow", (options) => root.repairWindow([], options)],
    ["chatTransport(options)", "chatTransport", (options) => aiSdk.chatTransport(options)],
    ["middleware(options)", "middleware", (options) => aiSdk.middleware(session, options)],
    ["prepareStep(options)", "prepareStep", (options) => aiSdk.prepareStep(session, options)],
    ["runTurn(options)", "runTurn", (options) => aiSdk.runTurn(session, options)],
    ["sqliteStore(options)", "sqliteStore", (options) => sqlite.sqliteStore(":memory:", options)],
    ["checkSqlite(options)", "checkSqlite", (options) => sqlite.checkSqlite("none.db", options)],
    ["encryptSqlite(options)", "encryptSqlite", (options) => sqlite.encryptSqlite("none.db", options)],
    ["postgresStore(options)", "postgresStore", (options) => postgresStore("postgres://localhost/x", options)],
    ["readEncryptionKey(sources)", "readEncryptionKey", readEncryptionKey],
    ["recordingModel(options)", "recordingModel", (options) => tapes.recordingModel(none, tapes.createTape(), options)],
    [
      "recordingTextModel(options)",
      "recordingTextModel",
      (options) => tapes.recordingTextModel(model, tapes.createTape(), options),
    ],
    ["replayingModel(options)", "replayingModel", (options) => tapes.replayingModel({}, options)],
    ["replayingTextModel(options)", "replayingTextModel", (options) => tapes.replayingTextModel({}, options)],
  ];
}

function serviceRows({ memory, context }: root.Throughline): readonly OptionRow[] {
  return [
    ["MemoryService.remember(input)", "memory.remember", (input) => memory.remember(input)],
    ["MemoryService.ingest(input)", "memory.ingest", (input) => memory.ingest(input)],
    ["MemoryService.recall(options)", "memory.recall", (options) => memory.recall("Go", options)],
    ["MemoryService.findRelevant(options)", "memory.findRelevant", (options) => memory.findRelevant("Go", options)],
    ["MemoryService.recallBlock(options)", "memory.recallBlock", (options) => memory.recallBlock("Go", options)],
    ["MemoryService.list(options)", "memory.list", (options) => memory.list(options)],
    ["MemoryService.update(patch)", "memory.update", (patch) => memory.update("m", patch)],
    ["MemoryService.purgeSession(options)", "memory.purgeSession", (options) => memory.purgeSession("s", options)],
    ["MemoryService.cite(options)", "memory.cite", (options) => memory.cite("m", options)],
    ["MemoryService.contradictions(filter)", "memory.contradictions", (filter) => memory.contradictions(filter)],
    ["MemoryService.resolve(input)", "memory.resolve", (input) => memory.resolve("c", input)],
    ["MemoryService.consolidate(options)", "memory.consolidate", (options) => memory.consolidate(options)],
    [
      "MemoryService.consolidateNightly(options)",
      "memory.consolidateNightly",
      (options) => memory.consolidateNightly(options),
    ],
    ["MemoryService.share(options)", "memory.share", (options) => memory.share(options)],
    ["MemoryService.journal(options)", "memory.journal", (options) => memory.journal(options)],
    ["MemoryService.export(options)", "memory.export", (options) => memory.export(options)],
    ["MemoryService.import(options)", "memory.import", (options) => memory.import("", options)],
    [
      "MemoryService.revertImport(options)",
      "memory.revertImport",
      (options) => memory.revertImport({ entries: {} } as never, options),
    ],
    ["MemoryService.reembed(options)", "memory.reembed", (options) => memory.reembed(options)],
    ["ContextService.assemble(options)", "context.assemble", (options) => context.assemble(options)],
    ["ContextService.assemble(options)", "signals", (signals) => context.assemble({ signals })],
    ["ContextService.predict(input)", "context.predict", (input) => context.predict(input)],
    ["ContextService.observe(signal)", "context.observe", (signal) => context.observe(signal)],
    ["ContextService.observe(options)", "context.observe", (options) => context.observe({ error: "E" }, options)],
    ["ContextService.learnHistory(options)", "context.learnHistory", (options) => context.learnHistory(options)],
    ["ContextService.learnPatterns(options)", "context.learnPatterns", (options) => context.learnPatterns(options)],
  ];
}

async function browserRows({ memory }: root.Throughline): Promise<readonly OptionRow[]> {
  const browser = await memory.browser();
  return [
    ["MemoryBrowser.page(options)", "browser.page", (options) => browser.page(options)],
    ["MemoryBrowser.history(options)", "browser.history", (options) => browser.history("m", options)],
  ];
}

function compactRows(tl: root.Throughline): readonly OptionRow[] {
  const store = root.inProcessStore();
  const event = { round: 0, tokensBefore: 0, tokensAfter: 0, summaryContent: "", compactedMessageIds: [] };
  const onError = (error: unknown) => {
    throw error;
  };
  return [
    ["compact(options)", "compact", (options) => compaction.compact([], "s", undefined, options)],
    [
      "safeCompact(options)",
      "compact",
      (options) => {
        const given = typeof options === "object" ? { ...(options as object), onError } : options;
        return compaction.safeCompact([], "s", undefined, given as never);
      },
    ],
    [
      "generateSummary(options)",
      "generateSummary",
      (options) => compaction.generateSummary([], null, "", 1, "m", options),
    ],
    [
      "getLastCompactionEvent(options)",
      "getLastCompactionEvent",
      (options) => compaction.getLastCompactionEvent(store, "s", options),
    ],
    [
      "saveCompactionEvent(options)",
      "saveCompactionEvent",
      (options) => compaction.saveCompactionEvent(store, "s", event, options),
    ],
    [
      "markMessagesCompacted(options)",
      "markMessagesCompacted",
      (options) => compaction.markMessagesCompacted(store, "s", [], options),
    ],
    ["shouldCompact(config)", "shouldCompact", (config) => compaction.shouldCompact([], config)],
    ["calculateThreshold(config)", "calculateThreshold", compaction.calculateThreshold],
    ["calculateByteThreshold(config)", "calculateByteThreshold", compaction.calculateByteThreshold],
    ["checkOverflow(options)", "checkOverflow", (options) => compaction.checkOverflow([], "gpt-4o", 0, options)],
    ["needsPruning(config)", "needsPruning (config)", (config) => compaction.needsPruning([], config)],
    ["needsPruning(options)", "needsPruning", (options) => compaction.needsPruning([], {}, options)],
    ["pruneToolOutputs(config)", "pruneToolOutputs (config)", (config) => compaction.pruneToolOutputs([], config)],
    ["pruneToolOutputs(options)", "pruneToolOutputs", (options) => compaction.pruneToolOutputs([], {}, options)],
    ["renderLedger(options)", "renderLedger", (options) => compaction.renderLedger(compaction.EMPTY_LEDGER, options)],
    ["new CompactionService(options)", "CompactionService", (options) => new compaction.CompactionService(options)],
    [
      "CompactionService.compact(config)",
      "CompactionService.compact",
      (config) => new compaction.CompactionService().compact([], config),
    ],
    ["new ContextManager(options)", "ContextManager", (options) => new compaction.ContextManager(options)],
    [
      "new ContextCoordinator(options)",
      "ContextCoordinator",
      (options) => new compaction.ContextCoordinator(tl, options),
    ],
    [
      "ContextCoordinator.prepareContext(options)",
      "session.prepare",
      (options) => new compaction.ContextCoordinator(tl).prepareContext("s", "gpt-4o", options),
    ],
    ["new MessageStore(options)", "MessageStore", (options) => new compaction.MessageStore(store, options)],
    [
      "MessageStore.updatePart(updates)",
      "MessageStore.updatePart",
      (updates) => new compaction.MessageStore(store).updatePart("p", updates, "s"),
    ],
  ];
}

function chatRows(tl: root.Throughline): readonly OptionRow[] {
  const session = tl.session("s");
  const okOrThrow = async (work: Promise<{ readonly kind: string; readonly error?: unknown }>) => {
    const { kind, error } = await work;
    if (kind === "error") throw error;
  };
  const tombstone = { read: () => undefined, write: () => undefined };
  const factBook = chat.createFactBook({ memory: tl.memory, tombstone });
  return [
    ["createFactBook(options)", "createFactBook", chat.createFactBook],
    ["FactBook.add(fact)", "FactBook.add", (fact) => factBook.add(fact)],
    ["FactBook.edit(edit)", "FactBook.edit", (edit) => factBook.edit("m", edit)],
    ["new ExtractionTrigger(options)", "ExtractionTrigger", (options) => new chat.ExtractionTrigger(options)],
    [
      "buildContextWithMemory(options)",
      "buildContextWithMemory",
      (options) => chat.buildContextWithMemory([], [], "gpt-4o", options),
    ],
    ["compactContext(options)", "compactContext", (options) => chat.compactContext([], [], "gpt-4o", options)],
    [
      "calculateMemoryBudget(options)",
      "calculateMemoryBudget",
      (options) => chat.calculateMemoryBudget("gpt-4o", 0, 0, options),
    ],
    ["explainSelection(options)", "explainSelection", (options) => chat.explainSelection([], 500, options)],
    ["chatRecaller(options)", "chatRecaller", chat.chatRecaller],
    ["prepareChatTurn(options)", "prepareChatTurn", (options) => chat.prepareChatTurn(session, options)],
    ["readContextUsage(options)", "readContextUsage", (options) => chat.readContextUsage(none, options)],
    [
      "evictFactsIfNeeded(options)",
      "evictFactsIfNeeded",
      (options) => okOrThrow(chat.evictFactsIfNeeded(tl.memory, options)),
    ],
    [
      "pruneExpiredFacts(options)",
      "pruneExpiredFacts",
      (options) => okOrThrow(chat.pruneExpiredFacts(tl.memory, options)),
    ],
  ];
}

function memoryRows(): readonly OptionRow[] {
  const fact = { kind: "fact", text: "The team uses PostgreSQL." } as const;
  return [
    ["auditMemories(options)", "auditMemories", (options) => memories.auditMemories([], options)],
    ["buildLevels(input)", "buildLevels", memories.buildLevels],
    [
      "buildLevelsWithModel(input)",
      "buildLevelsWithModel (input)",
      (input) => memories.buildLevelsWithModel(input, model),
    ],
    [
      "buildLevelsWithModel(options)",
      "buildLevelsWithModel",
      (options) => memories.buildLevelsWithModel(fact, model, options),
    ],
    ["extractFacts(options)", "extractFacts", (options) => memories.extractFacts([], options)],
    ["extractWithModel(options)", "extractWithModel", (options) => memories.extractWithModel([], model, options)],
    ["judgeRelations(options)", "judgeRelations", (options) => memories.judgeRelations(fact, [], model, options)],
    [
      "resolveContradiction(options)",
      "resolveContradiction",
      (options) => memories.resolveContradiction(none, [], options),
    ],
    ["shouldExtract(progress)", "shouldExtract", memories.shouldExtract],
  ];
}

function messageRows(): readonly OptionRow[] {
  return [
    [
      "convertAnthropicToRich(defaults)",
      "convertAnthropicToRich",
      (defaults) => messages.convertAnthropicToRich({ messages: [] }, "s", defaults),
    ],
    ["convertChatToRich(defaults)", "convertChatToRich", (defaults) => messages.convertChatToRich([], "s", defaults)],
    [
      "convertModelToRich(defaults)",
      "convertModelToRich",
      (defaults) => messages.convertModelToRich([], "s", defaults),
    ],
    [
      "convertResponsesToRich(defaults)",
      "convertResponsesToRich",
      (defaults) => messages.convertResponsesToRich([], "s", defaults),
    ],
    [
      "convertGeminiToRich(options)",
      "convertGeminiToRich",
      (options) => messages.convertGeminiToRich([], "s", options),
    ],
    ["convertUiToRich(defaults)", "convertUiToRich", (defaults) => messages.convertUiToRich([], "s", defaults)],
    [
      "convertRichToAnthropic(options)",
      "convertRichToAnthropic",
      (options) => messages.convertRichToAnthropic([], options),
    ],
    ["convertRichToChat(options)", "convertRichToChat", (options) => messages.convertRichToChat([], options)],
    ["convertRichToModel(options)", "convertRichToModel", (options) => messages.convertRichToModel([], options)],
    [
      "convertRichToResponses(options)",
      "convertRichToResponses",
      (options) => messages.convertRichToResponses([], options),
    ],
  ];
}

function tokenRows(): readonly OptionRow[] {
  const part = { id: "p", type: "text", text: "Hello" } as const;
  const message = { id: "m", sessionId: "s", role: "user", createdAt: 0, parts: [part] } as const;
  return [
    ["getModelLimits(options)", "getModelLimits", (options) => tokens.getModelLimits("gpt-4o", options)],
    ["getContextLimit(options)", "getContextLimit", (options) => tokens.getContextLimit("gpt-4o", options)],
    [
      "calculateAvailableTokens(options)",
      "calculateAvailableTokens",
      (options) => tokens.calculateAvailableTokens("gpt-4o", 0, 0, options),
    ],
    [
      "isApproachingOverflow(options)",
      "isApproachingOverflow",
      (options) => tokens.isApproachingOverflow("gpt-4o", 0, 0, 1, options),
    ],
    ["countChatTokens(options)", "countChatTokens", (options) => tokens.countChatTokens([], options)],
    ["countPartTokens(options)", "countPartTokens", (options) => tokens.countPartTokens(part, options)],
    ["countMessageTokens(options)", "countMessageTokens", (options) => tokens.countMessageTokens(message, options)],
    ["countTotalTokens(options)", "countTotalTokens", (options) => tokens.countTotalTokens([], options)],
    ["storeTokens(options)", "storeTokens", (options) => tokens.storeTokens(message, options)],
    ["observeUsage(observation)", "observeUsage", (observation) => tokens.observeUsage({}, observation)],
  ];
}

/** Entry points for pages. They have types of the DOM, so they are loaded by name. */
async function pageRows(): Promise<readonly OptionRow[]> {
  const load = (name: string) => import(/* @vite-ignore */ new URL(name, import.meta.url).href);
  const [{ dexieStore }, react] = await Promise.all([load("./store/dexie/dexie.ts"), load("./react/react.ts")]);
  const { createElement } = await import("react");
  const { renderToStaticMarkup } = await import("react-dom/server");
  const render = (useHook: () => unknown) => renderToStaticMarkup(createElement(() => void useHook()));
  return [
    ["dexieStore(options)", "dexieStore", dexieStore],
    ["OpenEdits.write(change)", "OpenEdits.write", (change) => new react.OpenEdits(none).write("m", change)],
    ["useContextUsage(options)", "useContextUsage", (options) => render(() => react.useContextUsage(null, options))],
    [
      "useMemoryExtraction(options)",
      "useMemoryExtraction",
      (options) => render(() => react.useMemoryExtraction("c", [], options)),
    ],
  ];
}
