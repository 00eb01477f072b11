import { InvalidOptionError } from "../../errors/input-errors.ts";
import { isRecord } from "../../internal/json.ts";
import { messageOf } from "../../internal/text.ts";

/** The part of an AI SDK provider that is used. */
interface ProviderLike {
  languageModel(modelId: string): unknown;
}

const PACKAGE = "ai";

/**
 * Finds the language model of an id such as `openai/gpt-4o` as the AI SDK does: with its global provider, which is the
 * Vercel AI Gateway unless `globalThis.AI_SDK_DEFAULT_PROVIDER` is set.
 *
 * @param isModel Check of the found model.
 * @throws InvalidOptionError if the AI SDK is not installed, or its provider has no such model.
 */
export async function findLanguageModel<T>(modelId: string, isModel: (found: unknown) => found is T): Promise<T> {
  const provider = globalProvider() ?? (await importGateway(modelId));
  let found: unknown;
  try {
    found = provider.languageModel(modelId);
  } catch (error) {
    throw refused(modelId, `the AI SDK's global provider failed: ${messageOf(error)}`);
  }
  if (isModel(found)) return found;
  throw refused(modelId, "the AI SDK's global provider returned no model");
}

function globalProvider(): ProviderLike | undefined {
  const { AI_SDK_DEFAULT_PROVIDER: provider } = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
  return isProvider(provider) ? provider : undefined;
}

/** Providers may be functions with methods. */
function isProvider(value: unknown): value is ProviderLike {
  const isHolder = isRecord(value) || typeof value === "function";
  return isHolder && typeof (value as Partial<ProviderLike>).languageModel === "function";
}

async function importGateway(modelId: string): Promise<ProviderLike> {
  try {
    // Not a literal: a bundler would require the package, which is optional.
    const name: string = PACKAGE;
    const { gateway }: { gateway: unknown } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    if (isProvider(gateway)) return gateway;
  } catch {
    // Not installed, or not a package of the AI SDK.
  }
  throw refused(modelId, `the package "${PACKAGE}", which finds models by name, is not installed`);
}

function refused(modelId: string, why: string): InvalidOptionError {
  return new InvalidOptionError(
    "model",
    JSON.stringify(modelId),
    `a model of the AI SDK, such as openai("gpt-4o"), or a model with \`generate\`: ${why}`,
  );
}
