import { ModelError, reasonOf } from "../model-error.ts";

const SAFE = "Your conversation is unchanged.";

/** Explains why a model could not be opened. WebLLM's worker passes on no more than the words of an error. */
export function explainOpening(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isOutOfMemory(reason)) {
    return new ModelError(
      "memory",
      `There isn't enough graphics memory for ${label}. ${SAFE} Close other tabs, or choose a smaller model.`,
    );
  }
  if (/quota/i.test(reason)) {
    return new ModelError(
      "storage",
      `There isn't enough space on this device for ${label}. ${SAFE} Free some space, or choose a smaller model.`,
    );
  }
  if (/WebGPU|compatible GPU|Cannot initialize runtime|shader-f16|requires feature/i.test(reason)) {
    return new ModelError(
      "unavailable",
      `This device's graphics card can't run ${label}. ${SAFE} Choose another model.`,
    );
  }
  if (/fetch|network|ERR_|connection|404|integrity/i.test(reason)) {
    return new ModelError(
      "unreachable",
      `The download of ${label} was interrupted. ${SAFE} The part you have is saved. Check your connection and choose it again.`,
    );
  }
  return new ModelError(
    "failed",
    `${label} couldn't be opened: ${short(reason)} ${SAFE} Choose it again, or another one.`,
  );
}

/** Explains why an answer stopped. */
export function explainAnswering(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isLost(reason)) {
    return new ModelError(
      "lost",
      `${label} lost the graphics card, often because memory ran out. ${SAFE} Choose it again, or a smaller one.`,
    );
  }
  if (/context window/i.test(reason)) {
    return new ModelError(
      "too-long",
      `This conversation is too long for ${label}. ${SAFE} Start a new one, or choose a larger model.`,
    );
  }
  return new ModelError("failed", `${label} couldn't reply: ${short(reason)} ${SAFE} Try again.`);
}

function isOutOfMemory(reason: string): boolean {
  return /out of memory|OOM|device was lost|DeviceLost|allocation failed|bad_alloc|cannot enlarge memory/i.test(reason);
}

/** After its device is gone WebLLM unloads the model, and each later request finds none. */
function isLost(reason: string): boolean {
  return (
    isOutOfMemory(reason) ||
    /not loaded|disposed|device is lost|external Instance reference no longer exists|worker/i.test(reason)
  );
}

function short(reason: string): string {
  const text = reason
    .replace(/^\w*Error: /, "")
    .trim()
    .slice(0, 200);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
