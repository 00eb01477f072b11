import type { ServerOptions } from "@throughline/server";
import { openAiCompatibleModel } from "throughline";
import { omitUndefined } from "throughline/internal";
import { SETTINGS, type SettingName, type SettingValues } from "../config/settings.ts";
import { UsageError } from "../usage-error.ts";

/** The models that the server is to offer, and the one that writes its summaries. */
export function modelsFromSettings(
  settings: SettingValues,
): Pick<ServerOptions, "model" | "anthropic" | "gemini" | "summariser"> {
  refuseWithout(settings, "model_url", ["model_key", "model"]);
  refuseWithout(settings, "anthropic_url", ["anthropic_key"]);
  refuseWithout(settings, "gemini_url", ["gemini_key"]);
  const { anthropic_url, anthropic_key, gemini_url, gemini_key } = settings;
  const others = {
    ...(anthropic_url !== undefined && { anthropic: omitUndefined({ url: anthropic_url, key: anthropic_key }) }),
    ...(gemini_url !== undefined && { gemini: omitUndefined({ url: gemini_url, key: gemini_key }) }),
  };
  const { model_url: url, model_key: key, model } = settings;
  if (url === undefined) return others;
  const upstreams = { ...others, model: omitUndefined({ url, key, model }) };
  if (model === undefined) return upstreams;
  return { ...upstreams, summariser: openAiCompatibleModel(omitUndefined({ baseUrl: url, apiKey: key, model })) };
}

function refuseWithout(settings: SettingValues, needed: SettingName, others: readonly SettingName[]): void {
  const given = others.find((name) => settings[name] !== undefined);
  if (given === undefined || settings[needed] !== undefined) return;
  const [named, missing] = [SETTINGS[given].variable, SETTINGS[needed].variable];
  throw new UsageError(`${named} is set, but ${missing} is not.`, "Set it too, or take the other away.");
}
