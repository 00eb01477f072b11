import { type Model, openAiCompatibleModel } from "throughline";
import { omitUndefined } from "throughline/internal";
import { UsageError } from "../usage-error.ts";
import { SETTINGS, type SettingName, type SettingValues } from "./settings.ts";

/**
 * The model of the settings that writes summaries: `model` of `model_url`.
 *
 * @returns `undefined` unless both are set.
 */
export function configuredModel({ model_url: url, model_key: key, model }: SettingValues): Model | undefined {
  if (url === undefined || model === undefined) return undefined;
  return openAiCompatibleModel(omitUndefined({ baseUrl: url, apiKey: key, model }));
}

/** Refuses settings that have no effect without another one. */
export function refuseWithout(settings: SettingValues, needed: SettingName, others: readonly SettingName[]): void {
  const given = others.find((name) => settings[name] !== undefined);
  if (given === undefined || settings[needed] !== undefined) return;
  const [named, missing] = [SETTINGS[given].variable, SETTINGS[needed].variable];
  throw new UsageError(`${named} is set, but ${missing} is not.`, "Set both, or unset the other one.");
}
