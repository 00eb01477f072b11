import { WebWorkerMLCEngineHandler } from "@mlc-ai/web-llm";

/** The address of this file. The page starts its worker from there, so that both share one copy of WebLLM (6 MB). */
export const workerUrl: string = import.meta.url;

// In a worker, so that typing stays responsive while a model runs, and a download ends with its worker.
if (typeof document === "undefined") {
  const handler = new WebWorkerMLCEngineHandler();
  self.addEventListener("message", (event: MessageEvent) => handler.onmessage(event));
}
