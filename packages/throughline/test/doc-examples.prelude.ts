import type { EmbeddingModel, LanguageModel, ModelMessage } from "ai";
import type { FactBook } from "../src/chat/fact-book/fact-book.ts";
import type { MemoryFact } from "../src/chat/memory-fact.ts";
import type { WorkingContext } from "../src/compact/working-context.ts";
import type { Ledger } from "../src/ledger/ledger.ts";
import type { ImportRecord } from "../src/memory/undo/import-record.ts";
import type { Message } from "../src/message/message.ts";
import type { Contradiction, Memory } from "../src/ports/memory.ts";
import type { FactCardActions, FactCardLook } from "../src/react/parts/fact-card.tsx";
import type { OpenEdits } from "../src/react/parts/open-edits.ts";
import type { Session } from "../src/session/session.ts";
import type { Throughline } from "../src/throughline-api.ts";

// Variables that the `@example` blocks of the package use without defining them.

export { createReadStream } from "node:fs";
export { readFile, writeFile } from "node:fs/promises";
export { generateText, streamText, wrapLanguageModel } from "ai";
export { useRef, useState, useSyncExternalStore } from "react";
export { it } from "vitest";

export declare const tl: Throughline;
export declare const record: ImportRecord;
export declare const session: Session;
export declare const messages: Message[];
export declare const history: Message[];
export declare const messagesToCompact: Message[];
export declare const prompt: ModelMessage[];
export declare const model: Extract<LanguageModel, { specificationVersion: "v4" }>;
export declare const languageModel: Extract<LanguageModel, { specificationVersion: "v4" }>;
export declare const embeddingModel: Exclude<EmbeddingModel, string>;
export declare const ledger: Ledger;
export declare const facts: MemoryFact[];
export declare const book: FactBook;
export declare const edits: OpenEdits;
export declare const actions: FactCardActions;
export declare const look: FactCardLook;
export declare const workingContext: WorkingContext;
export declare const fact: Memory;
export declare const memory: Memory;
export declare const old: Memory;
export declare const fresh: Memory;
export declare const current: Memory;
export declare const open: Contradiction;
export declare const id: string;
export declare const oldKey: Uint8Array;
export declare const newKey: Uint8Array;
export declare const error: unknown;
