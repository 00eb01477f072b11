import { EMPTY_LEDGER } from "../../src/ledger/ledger.ts";
import type { Entries, Exported } from "./text-functions.ts";
import { chat, chatFacts, fact, facts, part, rich, transcripts } from "./text-shapes.ts";

/** Passes a text to a function, in place of a user's text. */
export type Adapter = (call: Exported, text: string, entries: Entries) => unknown;

const contradiction = { id: "c", memoryA: "a", memoryB: "b", detectedAt: 1, reason: "r", status: "open" };
const model = (text: string) => ({ modelId: "m", generate: async () => ({ text }) });

const overMessages: Adapter = (run, text) => run(rich(text));
const overFacts: Adapter = (run, text) => run(chatFacts(text), 1_000);

function ledgerOf(text: string, { ".": root }: Entries): object {
  return rich(text).reduce((ledger, message) => root?.reduceLedger?.(ledger, message), EMPTY_LEDGER);
}

/** Text in an unknown format is refused, which must not be expensive either. */
async function orRefused(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

async function readAll(events: AsyncIterable<unknown>): Promise<void> {
  for await (const event of events) void event;
}

async function inSession(text: string, entries: Entries, work: (session: Record<string, Exported>) => unknown) {
  const throughline = await entries["."]?.createThroughline?.({});
  const session = throughline.session("s", { modelId: "gpt-4o", contextLimit: 8_000, outputReserve: 1_000 });
  await session.append(chat(text));
  return work(session);
}

async function inMemory(text: string, entries: Entries, work: (throughline: Record<string, never>) => unknown) {
  const throughline = await entries["."]?.createThroughline?.({});
  await throughline.memory.remember({ text: `User works with ${text}`, keepSecrets: true });
  return work(throughline);
}

const method =
  (run: (session: Record<string, Exported>, text: string) => unknown): Adapter =>
  (_, text, entries) =>
    inSession(text, entries, (session) => run(session, text));
// biome-ignore lint/suspicious/noExplicitAny: the built package has no types here.
const service = (run: (throughline: any, text: string) => unknown): Adapter => {
  return (_, text, entries) => inMemory(text, entries, (throughline) => run(throughline, text));
};

const NUMBERS = "takes numbers or settings";
const ID = "takes an id";
const ADAPTER_OF_OTHERS = "wraps a model, a store or a server that is given; the text goes through what it wraps";
const COMPONENT = "a component or a hook of React: it shows what other functions made";

/** Adapters that pass text to each function, or the reason why it takes none. Every exported function must be listed. */
export const ADAPTERS: Readonly<Record<string, Readonly<Record<string, Adapter | string>>>> = {
  ".": {
    adjustBoundaryForToolPairs: (run, text) => run(rich(text), 2),
    aiSdkEmbedder: ADAPTER_OF_OTHERS,
    auditMemories: (run, text, entries) => {
      const { memories = [] } = (entries["."]?.readForeignStore?.(text, 1) ?? {}) as { memories?: readonly object[] };
      return run(memories, { now: 2 });
    },
    buildLevels: (run, text) => ["fact", "episode", "pattern", "workflow"].map((kind) => run({ kind, text })),
    buildLevelsWithModel: (run, text) => run({ kind: "fact", text }, model(text)),
    calculateAvailableTokens: NUMBERS,
    calculateByteThreshold: NUMBERS,
    evictionScore: NUMBERS,
    calculateThreshold: NUMBERS,
    calibrationRatio: NUMBERS,
    canPin: NUMBERS,
    checkOverflow: (run, text) => run(rich(text), "gpt-4o"),
    claimOf: (run, text) => run(fact(text)),
    compact: (run, text) => run(rich(text), "s", undefined, { keepLast: 1 }),
    compareClaims: (run, text) => run({ text }, { text: `${text} not` }),
    compareFacts: (run, text) => run({ text }, { text: `${text}b` }),
    convertAnthropicToRich: (run, text) => run({ system: text, messages: [{ role: "user", content: text }] }),
    convertChatToRich: (run, text) => run(chat(text)),
    convertGeminiToRich: (run, text) => run([{ role: "user", parts: [{ text }] }]),
    convertModelToRich: (run, text) => run(chat(text)),
    convertResponsesToRich: (run, text) => run([{ type: "message", role: "user", content: text }]),
    convertRichToAnthropic: overMessages,
    convertRichToChat: overMessages,
    convertRichToModel: overMessages,
    convertRichToResponses: overMessages,
    convertUiToRich: (run, text) => run([{ id: "a", role: "user", parts: [{ type: "text", text }] }]),
    countChatTokens: (run, text) => run(chat(text), { system: text }),
    countMessageBytes: (run, text) => run(rich(text)[0]),
    countMessageTokens: (run, text) => run(rich(text)[0]),
    countPartBytes: (run, text) => run(part(text)),
    countPartTokens: (run, text) => run(part(text)),
    countTokens: (run, text) => run(text, "gpt-4o"),
    countTokensWithModelAdjustment: (run, text) => run(text, "claude-sonnet-4-5"),
    countTotalBytes: overMessages,
    countTotalTokens: overMessages,
    counterFor: (run, text) => run("gpt-4o").count(text),
    createThroughline: "takes settings; its methods stand below",
    criticalItems: (run, text, entries) => run(ledgerOf(text, entries)),
    estimateMessagesTokens: (run, text) => run(chat(text)),
    estimateTokens: (run, text) => run(text),
    planEviction: (run, text) => run(facts(text), 2),
    extractFacts: (run, text) => run([{ id: "a", role: "user", text }]),
    extractOriginalTask: overMessages,
    extractToolNames: overMessages,
    extractWithModel: (run, text) => run([{ id: "a", role: "user", text }], model(text)),
    filterMessagesForCompaction: overMessages,
    findContradiction: (run, text) => run({ text }, { text: `${text} not` }),
    findRelated: (run, text) => run({ text }, facts(text)),
    findSecrets: (run, text) => run(text),
    findToolPairs: overMessages,
    formatMessagesForSummary: overMessages,
    // A reply without the sections that were asked for is refused, after it was read.
    generateSummary: (run, text) => run(rich(text), text, text, 1, model(text)).catch(() => undefined),
    getContextLimit: ID,
    getLastCompactionEvent: ID,
    getModelLimits: ID,
    inProcessStore: "takes nothing",
    loadTokenRanks: "takes the bytes of a file",
    isApproachingOverflow: NUMBERS,
    isKnownPair: ID,
    judgeRelations: (run, text) => run({ text }, [{ text: `${text} not` }], model(text)),
    legacyToRichMessage: (run, text) => run({ id: "a", sessionId: "s", role: "user", content: text, createdAt: 1 }),
    legalCutPoints: overMessages,
    markMessagesCompacted: ID,
    mergeFact: (run, text) => run(fact(text), { at: 2, source: { quote: text } }),
    needsPruning: overMessages,
    observeUsage: NUMBERS,
    openAiCompatibleEmbedder: ADAPTER_OF_OTHERS,
    openAiCompatibleModel: ADAPTER_OF_OTHERS,
    openContradiction: ID,
    readForeignStore: (run, text) => run(text, 1),
    parseFacts: (run, text) => [run(text), run(JSON.stringify([{ fact: text, category: "identity" }]))],
    parseTranscript: (run, text) => [...transcripts(text).map((written) => run(written)), orRefused(() => run(text))],
    parseTranscriptStream: async (run, text) => {
      for (const written of transcripts(text)) await readAll(run([written]));
      await orRefused(() => readAll(run([text])));
    },
    pinFact: (run, text) => run(fact(text), facts(text)),
    planExpiry: (run, text) => run(facts(text), 2),
    pruneToolOutputs: (run, text) => run(rich(text), { pruneProtectTokens: 10, pruneMinimumTokens: 1 }),
    readExport: (run, text) => [
      run({
        format: "throughline-memory",
        version: 1,
        exportedAt: 1,
        memories: facts(text),
        turns: [],
        contradictions: [],
      }),
      orRefused(() => run(text)),
    ],
    readLedger: (run, text, entries) => run(JSON.parse(JSON.stringify(ledgerOf(text, entries)))),
    readPastedMemories: (run, text) => run(text),
    reduceLedger: (_, text, entries) => ledgerOf(text, entries),
    renderLedger: (run, text, entries) =>
      run(ledgerOf(text, entries), {
        budget: 2_000,
        count: (some: string) => some.length / 4,
        focus: text,
        words: 500,
      }),
    renderMemoriesMarkdown: (run, text) => run(facts(text), []),
    repairWindow: overMessages,
    replaceFact: (run, text) => run(fact(text), fact(`${text}b`, "b")),
    resolveContradiction: (run, text) =>
      run(contradiction, facts(text), { resolution: "merged", mergedId: "m", now: 2 }),
    safeCompact: (run, text) => run(rich(text), "s", undefined),
    saveCompactionEvent: "stores an event as it is",
    segmentFingerprint: (run, text) => run([{ id: "a", role: "user", text }]),
    selectMessagesToCompact: (run, text) => run(rich(text), 1),
    shouldCompact: overMessages,
    shouldExtract: NUMBERS,
    slimLedger: (run, text, entries) => run(ledgerOf(text, entries)),
    stableId: (run, text) => run([text]),
    storeTokens: (run, text) => run(rich(text)[0]),
    transformersEmbedder: ADAPTER_OF_OTHERS,
    validateWindow: (run, text) => ["openai", "anthropic", "gemini"].map((provider) => run(chat(text), provider)),
    wordEmbedder: (run, text) => run().embed([text], "passage"),
    wordsTokens: (run, text, entries) => run(ledgerOf(text, entries), (some: string) => some.length / 4),
    CompactionService: "holds a model and settings; compact() does its work",
    ContextCoordinator: "holds settings; a session does its work",
    ContextManager: "holds a model and settings; a session does its work",
    MessageStore: "holds messages as they are",
    WorkingContext: "holds messages as they are",
  },
  "./ai-sdk": {
    chatTransport: ADAPTER_OF_OTHERS,
    createThroughline: "takes settings",
    middleware: ADAPTER_OF_OTHERS,
    persist: ADAPTER_OF_OTHERS,
    prepareStep: ADAPTER_OF_OTHERS,
    parseOverflowError: (run, text) => run(Object.assign(new Error(text), { statusCode: 400, responseBody: text })),
    runTurn: ADAPTER_OF_OTHERS,
    tools: ADAPTER_OF_OTHERS,
    withOverflowRecovery: ADAPTER_OF_OTHERS,
  },
  "./chat": {
    CompactionTracker: "follows a session that is given",
    ExtractionTrigger: NUMBERS,
    buildContextWithMemory: (run, text) => run(chat(text), chatFacts(text), "gpt-4o"),
    buildIndex: (run, text) => run(chatFacts(text)),
    calculateEvictionScore: NUMBERS,
    calculateMemoryBudget: NUMBERS,
    chatRecaller: "reads facts and formats them as formatMemoryForPrompt does",
    chatSessionOptions: NUMBERS,
    classifyByRules: (run, text) => run(text),
    compactContext: (run, text) => run(chat(text), chatFacts(text), "gpt-4o"),
    createFactBook: "holds facts of the memory service",
    estimateTokens: (run, text) => run(text),
    evictFactsIfNeeded: "asks the memory service",
    explainSelection: (run, text) => run(chatFacts(text), 1_000, { currentMessage: text }),
    findForgotten: (run, text) => run(chatFacts(text), text),
    formatMemoryForPrompt: (run, text) => run(chatFacts(text)),
    prepareChatTurn: "prepares a session that is given",
    pruneExpiredFacts: "asks the memory service",
    readContextUsage: NUMBERS,
    readMemoryRequest: (run, text) => run(text),
    selectMemoriesForInjection: (run, text) => run(chatFacts(text), 1_000, text),
    shouldCompact: NUMBERS,
    stageOneTrimHistory: (run, text) => run(chat(text)),
    stageTwoReduceMemory: overFacts,
    toMemoryFact: (run, text) => run(fact(text)),
  },
  "./dexie": { dexieStore: "opens a database" },
  "./postgres": { postgresStore: "opens a database", readEncryptionKey: "takes settings" },
  "./react": {
    ClearMemory: COMPONENT,
    ClearingBar: COMPONENT,
    ConfidenceBar: COMPONENT,
    FactComposer: COMPONENT,
    FactEditor: COMPONENT,
    FactList: COMPONENT,
    MemoryPill: COMPONENT,
    OpenEdits: COMPONENT,
    RememberSelection: COMPONENT,
    RemovalNotice: COMPONENT,
    SavedMark: COMPONENT,
    countMemories: NUMBERS,
    explainMeanwhile: NUMBERS,
    explainProblem: NUMBERS,
    extendTo: NUMBERS,
    keepOpenEdits: ID,
    keepShown: ID,
    showFact: (run, text) => run(text),
    toggleFact: ID,
    useCompactionStatus: COMPONENT,
    useContextUsage: COMPONENT,
    useMemoryExtraction: COMPONENT,
    useMemoryFacts: COMPONENT,
  },
  "./sqlite": {
    openForReading: "opens a database",
    backupSqlite: "copies a file",
    checkSqlite: "reads a file",
    encryptSqlite: "rewrites a file",
    readEncryptionKey: "takes settings",
    sqliteStore: "opens a database",
  },
  "./test": {
    createTape: "takes nothing",
    recordingModel: ADAPTER_OF_OTHERS,
    recordingTextModel: ADAPTER_OF_OTHERS,
    replayingModel: ADAPTER_OF_OTHERS,
    replayingTextModel: ADAPTER_OF_OTHERS,
    storeChecks: "checks of stores",
  },
  tl: { close: "takes nothing", purgeSession: ID, session: ID, sessions: NUMBERS },
  "tl.memory": {
    remember: service(({ memory }, text) => memory.remember({ text, keepSecrets: true })),
    ingest: service(({ memory }, text) => memory.ingest({ sessionId: "s", messages: [{ role: "user", text }] })),
    recall: service(({ memory }, text) => memory.recall(text)),
    findRelevant: service(({ memory }, text) => memory.findRelevant(text)),
    recallBlock: service(({ memory }, text) => memory.recallBlock(text, { budget: 500 })),
    get: ID,
    browser: service(async ({ memory }, text) => {
      const browser = await memory.browser();
      return browser.page({ query: text });
    }),
    list: service(({ memory }) => memory.list()),
    update: service(async ({ memory }, text) => {
      const [known] = await memory.list();
      return memory.update(known.id, { text: `${text} again`, keepSecrets: true });
    }),
    forget: ID,
    projects: "takes nothing",
    purge: ID,
    purgeSession: ID,
    cite: ID,
    ignore: ID,
    contradictions: NUMBERS,
    resolve: ID,
    consolidate: service(({ memory }) => memory.consolidate()),
    consolidateNightly: "consolidates, as consolidate does",
    share: ID,
    journal: NUMBERS,
    undo: ID,
    export: service(({ memory }) => memory.export()),
    import: service(({ memory }, text) => memory.import(`${text}\n`)),
    reembed: service(({ memory }) => memory.reembed()),
    revertImport: ID,
  },
  "tl.context": {
    assemble: service(({ context }, text) =>
      context.assemble({ message: text, budget: 4_000, signals: { recentErrors: [text], branch: text } }),
    ),
    predict: service(({ context }, text) => context.predict({ fileOpened: text, error: text, branch: text })),
    observe: service(({ context }, text) => context.observe({ error: text, fileOpened: text })),
    learnHistory: "reads the project on disk",
    learnPatterns: "reads the project on disk",
    forgetSession: ID,
    expand: service(({ context }, text) => context.expand(text)),
    settle: "takes nothing",
  },
  "tl.session()": {
    append: method((session, text) => session.append?.(chat(text))),
    prepare: method((session, text) => session.prepare?.({ system: "Help.", message: text, memory: true })),
    compact: method((session, text) => session.compact?.({ focus: text })),
    preview: method((session) => session.preview?.()),
    restore: ID,
    expand: method((session, text) => orRefused(() => session.recall?.(text))),
    recall: method((session, text) => orRefused(() => session.recall?.(text))),
    history: method((session) => session.history?.()),
    status: "takes nothing",
    prune: method((session) => session.prune?.()),
    reportUsage: NUMBERS,
    compactions: NUMBERS,
    receipts: NUMBERS,
    on: "takes a listener",
  },
};
