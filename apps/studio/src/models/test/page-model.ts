import type { PromptApi, PromptAvailability, PromptSession, PromptSessionOptions } from "../device/prompt-api.ts";

export interface PageModelScript {
  readonly availability?: PromptAvailability | Error;
  readonly create?: (options: PromptSessionOptions, download: (loaded: number) => void) => Promise<void>;
  readonly answer?: (signal: AbortSignal | undefined) => AsyncGenerator<string>;
  readonly numbers?: Pick<PromptSession, "contextWindow" | "inputQuota" | "contextUsage" | "inputUsage">;
}

export interface PageModel extends PromptApi {
  readonly created: PromptSessionOptions[];
  readonly prompted: unknown[];
  open(): number;
}

/** A model with the interface of the browser's own. */
export function pageModel({
  availability = "available",
  create,
  answer = oneWord,
  numbers,
}: PageModelScript = {}): PageModel {
  const created: PromptSessionOptions[] = [];
  const prompted: unknown[] = [];
  const open = new Set<PromptSession>();
  return {
    created,
    prompted,
    open: () => open.size,
    availability: async () => {
      if (availability instanceof Error) throw availability;
      return availability;
    },
    create: async (options = {}) => {
      options.signal?.throwIfAborted();
      created.push(options);
      const monitor = new EventTarget();
      options.monitor?.(monitor);
      const aborted = new Promise<never>((_, reject) =>
        options.signal?.addEventListener("abort", () => reject(options.signal?.reason)),
      );
      aborted.catch(() => undefined);
      const download = (loaded: number) =>
        monitor.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      await Promise.race([create?.(options, download), aborted]);
      const session: PromptSession = {
        ...numbers,
        promptStreaming: (input, options) => {
          prompted.push({ input, constraint: options?.responseConstraint });
          return streamOf(answer(options?.signal), options?.signal);
        },
        destroy: () => void open.delete(session),
      };
      open.add(session);
      return session;
    },
  };
}

async function* oneWord() {
  yield "Hello.";
}

function streamOf(words: AsyncGenerator<string>, signal: AbortSignal | undefined): ReadableStream<string> {
  return new ReadableStream<string>({
    start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
    pull: async (controller) => {
      const { done, value } = await words.next();
      if (signal?.aborted) return;
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
