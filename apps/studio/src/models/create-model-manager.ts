import type { ModelManager } from "./chat-model.ts";
import { BuiltInSource } from "./device/built-in-source.ts";
import type { PromptApi } from "./device/prompt-api.ts";
import type { WebLlmRuntime } from "./device/web-llm-runtime.ts";
import { type Gpu, WebLlmSource } from "./device/web-llm-source.ts";
import { isThisDevice } from "./endpoint/address.ts";
import { EndpointSource } from "./endpoint/endpoint-source.ts";
import type { Timeouts } from "./endpoint/open-endpoint.ts";
import { ServerSource } from "./endpoint/server-source.ts";
import { ModelSettings, type SettingStorage } from "./model-settings.ts";
import { OpenModelManager } from "./open-model-manager.ts";

/**
 * The models that are available here. It detects them at once, and reopens the last choice if that downloads nothing.
 * Until the first message, it sends nothing to an endpoint.
 *
 * @example
 * const manager = createModelManager({ storage: localStorage, fetch });
 * await manager.choose("web-llm:Llama-3.2-1B");
 */
export function createModelManager(given: Partial<BrowserEnvironment> = {}): ModelManager {
  const environment: BrowserEnvironment = { ...browserEnvironment(), ...given };
  const { fetch, origin, isSecure, gpu, newId, timeouts } = environment;
  const settings = new ModelSettings(environment.storage);
  const endpoints = new EndpointSource({ settings, fetch, newId, timeouts });
  const sources = [
    new BuiltInSource(environment.promptApi),
    new WebLlmSource({ gpu, isSecure, load: environment.loadWebLlm, hasDownloads: environment.hasWebLlmDownloads }),
    endpoints,
    ...(origin === undefined
      ? []
      : [new ServerSource({ fetch, origin, timeouts: timeouts[isThisDevice(origin) ? "local" : "remote"] })]),
  ];
  const manager = new OpenModelManager({ sources, endpoints, settings });
  environment.onLeave(() => manager.leave());
  void manager.start();
  return manager;
}

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

function browserEnvironment(): BrowserEnvironment {
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
    loadWebLlm: async () => (await import("./device/web-llm-runtime.ts")).webLlmRuntime(),
    hasWebLlmDownloads: async () => (await globalThis.caches?.has("webllm/model")) ?? false,
    newId: () => crypto.randomUUID(),
    onLeave: (listener) => globalThis.addEventListener?.("pagehide", listener),
    timeouts: TIMEOUTS,
  };
}

/** Reading `localStorage` throws if the user blocks storage. */
function deviceStorage(): SettingStorage {
  const refuse = () => {
    throw new Error("This browser doesn't save data for this page.");
  };
  try {
    return globalThis.localStorage ?? { getItem: refuse, setItem: refuse, removeItem: refuse };
  } catch {
    return { getItem: refuse, setItem: refuse, removeItem: refuse };
  }
}
