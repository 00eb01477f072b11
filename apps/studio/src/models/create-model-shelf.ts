import { BuiltInSource } from "./built-in/built-in-source.ts";
import type { ModelShelf } from "./chat-model.ts";
import { EndpointSource } from "./endpoint/endpoint-source.ts";
import { KeptSettings } from "./kept-settings.ts";
import { ServerSource } from "./server/server-source.ts";
import { Shelf } from "./shelf.ts";
import { browserSurroundings, type Surroundings } from "./surroundings.ts";
import { WebLlmSource } from "./web-llm/web-llm-source.ts";

/**
 * The models that can be used here. It looks around at once, and opens the last choice again where that downloads
 * nothing; until the person says something, nothing is sent to an endpoint.
 *
 * @example
 * const shelf = createModelShelf({ storage: localStorage, fetch });
 * await shelf.choose("web-llm:Llama-3.2-1B");
 */
export function createModelShelf(given: Partial<Surroundings> = {}): ModelShelf {
  const around: Surroundings = { ...browserSurroundings(), ...given };
  const { fetch, origin, isSecure, gpu, newId, patience } = around;
  const settings = new KeptSettings(around.storage);
  const endpoints = new EndpointSource({ settings, fetch, newId, patience });
  const sources = [
    new BuiltInSource(around.promptApi),
    new WebLlmSource({ gpu, isSecure, load: around.loadWebLlm, hasDownloads: around.hasWebLlmDownloads }),
    endpoints,
    ...(origin === undefined ? [] : [new ServerSource({ fetch, origin, patience: patience.remote })]),
  ];
  const shelf = new Shelf({ sources, endpoints, settings });
  void shelf.start();
  return shelf;
}
