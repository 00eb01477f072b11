import { modelCopy } from "../../copy/models.ts";

const { webLlm: copy } = modelCopy;

/** The used part of `navigator.gpu`. */
export interface Gpu {
  requestAdapter(): Promise<{ readonly features: { has(name: string): boolean } } | null>;
}

/** Checks if this device can run a model in the page; if not, gives the reason for a person. */
export type FoundGpu = { readonly hasHalfPrecision: boolean } | { readonly missing: string };

export async function findGpu(gpu: Gpu | undefined, isSecure: boolean): Promise<FoundGpu> {
  if (!isSecure) return { missing: copy.insecure };
  if (gpu === undefined) return { missing: copy.noWebGpu };
  try {
    const adapter = await gpu.requestAdapter();
    if (adapter !== null) return { hasHalfPrecision: adapter.features.has("shader-f16") };
  } catch {
    // Some drivers throw instead of returning nothing. Both mean that there is no GPU.
  }
  return { missing: copy.noCard };
}
