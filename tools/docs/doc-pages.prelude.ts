import type { Tool } from "ai";
import type { Message, Session, Store, Throughline } from "throughline";

// Variables that the code blocks of the documentation use without defining them.

export { generateText, isStepCount, ToolLoopAgent, wrapLanguageModel } from "ai";
export { createThroughline } from "throughline";
export { persist, prepareStep } from "throughline/ai-sdk";

import type { createMcpServer } from "@throughline/server/mcp";
import type { LanguageModel, ModelMessage } from "ai";

export declare const tl: Throughline;
export declare const throughline: Throughline;
export declare const session: Session;
export declare const sessionId: string;
export declare const store: Store;
export declare const message: Message;
export declare const messages: ModelMessage[];
export declare const model: Extract<LanguageModel, { specificationVersion: "v4" }>;
export declare const tools: Record<string, Tool>;
export declare const fileTools: Record<string, Tool>;
export declare const LIMIT: number;
export declare const transport: Parameters<ReturnType<typeof createMcpServer>["connect"]>[0];
export declare const app: {
  all(path: string, handler: (c: { readonly req: { readonly raw: Request } }) => Response | Promise<Response>): void;
};
