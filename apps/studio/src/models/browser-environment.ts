import type { PromptApi } from "./built-in/prompt-api.ts";
import type { Timeouts } from "./endpoint/open-endpoint.ts";
import type { SettingStorage } from "./model-settings.ts";
import type { Gpu } from "./web-llm/find-gpu.ts";
import type { WebLlmRuntime } from "./web-llm/web-llm-runtime.ts";

/** Everything that the models need of the browser. */
export interface BrowserEnvironment {
  readonly storage: SettingStorage;
  readonly fetch: typeof fetch;
  /** Address of the server that sent the page; `undefined` if it came from a file. */
  readonly origin: string | undefined;
  /** Secure context: models on the device need it. */
  readonly isSecure: boolean;
  readonly gpu: Gpu | undefined;
  readonly promptApi: PromptApi | undefined;
  readonly loadWebLlm: () => Promise<WebLlmRuntime>;
  readonly hasWebLlmDownloads: () => Promise<boolean>;
  readonly newId: () => string;
  /** Calls a listener when the page is left or reloaded. A crash does not call it. */
  readonly onLeave: (listener: () => void) => void;
  /** Timeouts for models behind an address: on another machine, and on this device. */
  readonly timeouts: { readonly remote: Timeouts; readonly local: Timeouts };
}

/** Elsewhere a model is ready, but may think in silence; a program on this device may have to load one first. */
const TIMEOUTS: BrowserEnvironment["timeouts"] = {
  remote: { silenceMs: 60_000, wholeMs: 120_000 },
  local: { silenceMs: 120_000, wholeMs: 300_000 },
};

export function browserEnvironment(): BrowserEnvironment {
  const { navigator, location, isSecureContext = false } = globalThis as Partial<typeof globalThis>;
  const { LanguageModel } = globalThis as { readonly LanguageModel?: PromptApi };
  const { gpu } = (navigator ?? {}) as { readonly gpu?: Gpu };
  return {
    storage: deviceStorage(),
    fetch: (input, init) => globalThis.fetch(input, init),
    origin: location?.protocol.startsWith("http") ? location.origin : undefined,
    isSecure: isSecureContext,
    gpu,
    promptApi: LanguageModel,
    loadWebLlm: async () => (await import("./web-llm/web-llm-runtime.ts")).webLlmRuntime(),
    hasWebLlmDownloads: async () => (await globalThis.caches?.has("webllm/model")) ?? false,
    newId: () => crypto.randomUUID(),
    onLeave: (listener) => globalThis.addEventListener?.("pagehide", listener),
    timeouts: TIMEOUTS,
  };
}

/** Reading `localStorage` throws if the user blocks storage. */
function deviceStorage(): SettingStorage {
  const refuse = () => {
    throw new Error("This browser stores nothing for this page.");
  };
  try {
    return globalThis.localStorage ?? { getItem: refuse, setItem: refuse, removeItem: refuse };
  } catch {
    return { getItem: refuse, setItem: refuse, removeItem: refuse };
  }
}
