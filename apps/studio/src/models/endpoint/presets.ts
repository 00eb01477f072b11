import { modelCopy } from "../../copy/models.ts";

/** Common addresses. A preset only fills in the form. */
export interface EndpointPreset {
  readonly name: string;
  readonly baseUrl: string;
  /** Setup step before it answers. */
  readonly hint: string;
}

export const ENDPOINT_PRESETS: readonly EndpointPreset[] = [
  {
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    hint: modelCopy.presets.ollama,
  },
  {
    name: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    hint: modelCopy.presets.lmStudio,
  },
  {
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    hint: modelCopy.presets.openRouter,
  },
];
