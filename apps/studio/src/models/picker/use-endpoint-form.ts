import { type FormEvent, useState } from "react";
import { announce } from "../../ui/announce.ts";
import type { ModelManager, SavedEndpoint } from "../chat-model.ts";
import { isSameServer, readAddress, whereabouts } from "../endpoint/address.ts";
import { reasonOf } from "../model-error.ts";

export interface EndpointFields {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly modelId: string;
  readonly label: string;
  readonly contextLimit: string;
  readonly forgetsKey: boolean;
}

export interface EndpointFormOptions {
  readonly manager: ModelManager;
  readonly endpoint: SavedEndpoint | undefined;
  readonly onSaved: (id: string) => void;
}

/** The state of the form for an endpoint. */
export function useEndpointForm({ manager, endpoint, onSaved }: EndpointFormOptions) {
  const [fields, setFields] = useState(() => fieldsOf(endpoint));
  const [models, setModels] = useState<readonly string[]>([]);
  const [isListing, setIsListing] = useState(false);
  const [listed, setListed] = useState<{ readonly words: string; readonly isProblem: boolean }>();
  const [problem, setProblem] = useState<string>();
  const keepsKey = endpoint?.hasKey === true && !fields.forgetsKey && isSameServer(endpoint.baseUrl, fields.baseUrl);
  const key = fields.apiKey !== "" ? { apiKey: fields.apiKey } : keepsKey ? {} : { apiKey: "" };
  const id = endpoint === undefined ? {} : { id: endpoint.id };

  /** Loads the names of the models. */
  const list = async (): Promise<readonly string[]> => {
    setIsListing(true);
    setListed(undefined);
    try {
      const found = await manager.listModels({ baseUrl: fields.baseUrl, ...key, ...id });
      setModels(found);
      const words = found.length === 0 ? "No models found. Enter a name." : `${countModels(found.length)} found`;
      setListed({ words, isProblem: false });
      announce(words);
      return found;
    } catch (error) {
      setModels([]);
      setListed({ words: reasonOf(error), isProblem: true });
      return [];
    } finally {
      setIsListing(false);
    }
  };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    // The picker stands in the composer's form, which would send the message.
    event.stopPropagation();
    setProblem(undefined);
    try {
      const { baseUrl, modelId, label } = fields;
      const contextLimit = readLimit(fields.contextLimit);
      const saved = await manager.saveEndpoint({ baseUrl, modelId, label, ...contextLimit, ...key, ...id });
      onSaved(saved.id);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };

  const write = (change: Partial<EndpointFields>) => {
    setFields((before) => ({ ...before, ...change }));
    setProblem(undefined);
    // The list belongs to the address.
    if (change.baseUrl !== undefined) {
      setModels([]);
      setListed(undefined);
    }
  };

  return { fields, write, models, list, isListing, listed, save, problem, keepsKey, goesTo: goesTo(fields) };
}

export type EndpointForm = ReturnType<typeof useEndpointForm>;

function fieldsOf(endpoint: SavedEndpoint | undefined): EndpointFields {
  const { baseUrl = "", modelId = "", label = "", contextLimit } = endpoint ?? {};
  return {
    baseUrl,
    apiKey: "",
    modelId,
    label: label === modelId ? "" : label,
    contextLimit: contextLimit === undefined ? "" : String(contextLimit),
    forgetsKey: false,
  };
}

function readLimit(entered: string): { readonly contextLimit?: number } {
  const text = entered.replaceAll(/[\s.,_']/g, "");
  if (text === "") return {};
  const contextLimit = Number(text);
  if (!Number.isInteger(contextLimit) || contextLimit < 512) {
    throw new Error("Context size must be a whole number, 512 or more. Leave it empty if you don't know it.");
  }
  return { contextLimit };
}

/** Where words will go, as soon as the address is one. */
function goesTo({ baseUrl, modelId }: EndpointFields): string | undefined {
  try {
    return whereabouts(readAddress(baseUrl), modelId).says;
  } catch {
    return undefined;
  }
}

function countModels(count: number): string {
  return count === 1 ? "1 model" : `${count.toLocaleString("en-US")} models`;
}
