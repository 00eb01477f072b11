import type { Endpoint } from "./chat-model.ts";

/** The used part of `localStorage`. */
export type SettingStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const ENDPOINTS = "throughline.models.endpoints";
const CHOICE = "throughline.models.choice";
const OPENING = "throughline.models.opening";

/** Model settings, on this device only. */
export class ModelSettings {
  readonly #storage: SettingStorage;
  /** Values that could not be stored are kept until the tab is closed. */
  readonly #unwritten = new Map<string, string>();

  constructor(storage: SettingStorage) {
    this.#storage = storage;
  }

  /** Read each time, because another tab may have saved one. */
  endpoints(): readonly Endpoint[] {
    const kept = parse(this.#read(ENDPOINTS));
    return Array.isArray(kept) ? kept.filter(isEndpoint) : [];
  }

  /** False if the device cannot store it. */
  saveEndpoints(endpoints: readonly Endpoint[]): boolean {
    return this.#write(ENDPOINTS, JSON.stringify(endpoints));
  }

  choice(): string | undefined {
    return this.#read(CHOICE);
  }

  saveChoice(choiceId: string | undefined): void {
    this.#write(CHOICE, choiceId);
  }

  /** The model that was being opened when the page crashed: it may have been the cause. */
  opening(): string | undefined {
    return this.#read(OPENING);
  }

  saveOpening(choiceId: string | undefined): void {
    this.#write(OPENING, choiceId);
  }

  #read(name: string): string | undefined {
    const unwritten = this.#unwritten.get(name);
    if (unwritten !== undefined) return unwritten;
    try {
      return this.#storage.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #write(name: string, value: string | undefined): boolean {
    this.#unwritten.delete(name);
    try {
      if (value === undefined) this.#storage.removeItem(name);
      else this.#storage.setItem(name, value);
      return true;
    } catch {
      if (value !== undefined) this.#unwritten.set(name, value);
      return false;
    }
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== "object" || value === null) return false;
  const { id, label, baseUrl, modelId, apiKey, contextLimit, saidLimit } = value as Record<string, unknown>;
  return (
    [id, label, baseUrl, modelId].every((text) => typeof text === "string" && text !== "") &&
    URL.canParse(String(baseUrl)) &&
    (apiKey === undefined || typeof apiKey === "string") &&
    [contextLimit, saidLimit].every((limit) => limit === undefined || (typeof limit === "number" && limit > 0))
  );
}
