import { type FormEvent, useState } from "react";
import { modelCopy } from "../../copy/models.ts";
import { announce } from "../../ui/announce.ts";
import type { ModelManager, SavedEndpoint } from "../chat-model.ts";
import { isSameServer, locateEndpoint, readAddress } from "../endpoint/address.ts";
import { reasonOf } from "../model-error.ts";

const { endpoint: copy } = modelCopy;

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
      const words = found.length === 0 ? copy.noneFound : copy.found(found.length);
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
    // The picker is inside the composer's form, which would send the message.
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

  const isChanged = JSON.stringify(fields) !== JSON.stringify(fieldsOf(endpoint));
  const state = { fields, models, isListing, listed, problem, keepsKey, goesTo: goesTo(fields), isChanged };
  return { ...state, write, list, save };
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
    throw new Error(copy.badContextSize);
  }
  return { contextLimit };
}

/** Destination of messages for a valid address. */
function goesTo({ baseUrl, modelId }: EndpointFields): string | undefined {
  try {
    return locateEndpoint(readAddress(baseUrl), modelId).says;
  } catch {
    return undefined;
  }
}
