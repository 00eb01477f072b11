/** Addresses that many people have. A preset only fills in the form. */
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
    hint: "Runs on this device. Set OLLAMA_ORIGINS to allow this page.",
  },
  {
    name: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    hint: "Runs on this device. Start its server, with CORS turned on.",
  },
  {
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    hint: "Your messages go to openrouter.ai and to the provider of the model you pick. Needs an API key.",
  },
];
