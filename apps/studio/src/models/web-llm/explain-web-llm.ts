import { modelErrors } from "../../copy/model-errors.ts";
import { ModelError, reasonOf } from "../model-error.ts";

const { webLlm: texts } = modelErrors;

/** Explains why a model could not be opened. WebLLM's worker forwards only the message of an error. */
export function explainOpening(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isOutOfMemory(reason)) {
    return new ModelError("memory", texts.noMemory(label));
  }
  if (/quota/i.test(reason)) {
    return new ModelError("storage", texts.noSpace(label));
  }
  if (/WebGPU|compatible GPU|Cannot initialize runtime|shader-f16|requires feature/i.test(reason)) {
    return new ModelError("unavailable", texts.unsupported(label));
  }
  if (/fetch|network|ERR_|connection|404|integrity/i.test(reason)) {
    return new ModelError("unreachable", texts.interrupted(label));
  }
  return new ModelError("failed", texts.notOpened(label, short(reason)));
}

/** Explains why an answer stopped. */
export function explainAnswering(label: string, error: unknown): ModelError {
  const reason = reasonOf(error);
  if (isLost(reason)) {
    return new ModelError("lost", texts.lost(label));
  }
  if (/context window/i.test(reason)) {
    return new ModelError("too-long", modelErrors.tooLong(label));
  }
  return new ModelError("failed", modelErrors.noReply(label, short(reason)));
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
