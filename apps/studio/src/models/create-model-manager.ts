import { type BrowserEnvironment, browserEnvironment } from "./browser-environment.ts";
import { BuiltInSource } from "./built-in/built-in-source.ts";
import type { ModelManager } from "./chat-model.ts";
import { isThisDevice } from "./endpoint/address.ts";
import { EndpointSource } from "./endpoint/endpoint-source.ts";
import { ModelSettings } from "./model-settings.ts";
import { OpenModelManager } from "./open-model-manager.ts";
import { ServerSource } from "./server/server-source.ts";
import { WebLlmSource } from "./web-llm/web-llm-source.ts";

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
