import { WebWorkerMLCEngineHandler } from "@mlc-ai/web-llm";

// Off the page's thread, so that typing stays quick while a model thinks, and a download ends with its worker.
const handler = new WebWorkerMLCEngineHandler();

self.addEventListener("message", (event: MessageEvent) => handler.onmessage(event));
