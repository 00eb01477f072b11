import * as webLlm from "@mlc-ai/web-llm";

// WebLLM's declarations name their files without an ending, which TypeScript does not follow here.
interface MessageHandler {
  engine: object;
  onmessage(message: unknown): void;
  postMessage(message: unknown): void;
}
const { WebWorkerMLCEngineHandler: Handler } = webLlm as unknown as {
  readonly WebWorkerMLCEngineHandler: new () => MessageHandler;
};

type Report = { readonly progress: number; readonly timeElapsed: number; readonly text: string };

/** A fake engine; the rest is WebLLM's own code, on both sides of the worker. */
export interface EngineScript {
  readonly reload?: (report: (progress: number, text: string) => void, modelId: string) => Promise<void>;
  readonly answer?: (request: unknown, isInterrupted: () => boolean) => AsyncGenerator<string>;
}

export interface EngineWorker extends Worker {
  readonly isTerminated: boolean;
  /** Simulates a worker script that cannot be loaded, or that died. */
  crash(message: string): void;
}

/** A worker with WebLLM's own message handler over a scripted engine, because tests have no GPU. */
export function engineWorker(script: EngineScript): EngineWorker {
  let isTerminated = false;
  const page = new EventTarget();
  const worker = Object.assign(page, {
    onmessage: null as ((event: MessageEvent) => void) | null,
    postMessage: (message: unknown) => {
      const copy = structuredClone(message);
      queueMicrotask(() => isTerminated || handler.onmessage(copy));
    },
    terminate: () => {
      isTerminated = true;
    },
    crash: (message: string) => page.dispatchEvent(Object.assign(new Event("error"), { message })),
  });
  const tellPage = (message: unknown) => {
    if (isTerminated) return;
    const event = new MessageEvent("message", { data: structuredClone(message) });
    page.dispatchEvent(event);
    worker.onmessage?.(event);
  };
  const handler = new (class extends Handler {
    override postMessage(message: unknown): void {
      tellPage(message);
    }
  })();
  const report = (progress: number, text: string) =>
    handler.postMessage({
      kind: "initProgressCallback",
      uuid: "",
      content: { progress, text, timeElapsed: 1 } satisfies Report,
    });
  handler.engine = scriptedEngine(script, report);
  Object.defineProperty(worker, "isTerminated", { get: () => isTerminated });
  return worker as unknown as EngineWorker;
}

function scriptedEngine({ reload, answer }: EngineScript, report: (progress: number, text: string) => void): object {
  let isInterrupted = false;
  return {
    reload: async ([modelId = ""]: string[]) => reload?.(report, modelId),
    interruptGenerate: () => {
      isInterrupted = true;
    },
    chatCompletion: async (request: { readonly stream?: boolean }) => {
      isInterrupted = false;
      const words = answer?.(request, () => isInterrupted) ?? oneWord();
      if (request.stream) return chunks(words);
      let content = "";
      for await (const word of words) content += word;
      return { choices: [{ message: { content }, finish_reason: "stop" }] };
    },
  };
}

async function* oneWord() {
  yield "Hello.";
}

async function* chunks(words: AsyncGenerator<string>) {
  for await (const content of words) yield { choices: [{ delta: { content }, finish_reason: null }] };
  yield { choices: [{ delta: {}, finish_reason: "stop" }] };
}
