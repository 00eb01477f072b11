/** Instructions to the model, in contrast to statements about people. */
const ADDRESSED =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system|any)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|messages?|polic(?:y|ies))\b|\bsystem prompt\b|\b(?:developer|god|admin|dan) mode\b|\bjailbreak\b|^\s*(?:system|assistant|developer|tool)\s*:|<\/?(?:system|instructions?|tool|assistant|memory)\b|^you are now\b|\b(?:reveal|print|output|leak|send|exfiltrate)\b.{0,30}\b(?:hidden|secret|credentials|passwords?|api keys?)\b/i;

/** True if a text contains instructions to the model, for example to ignore its system prompt. */
export function hasModelInstructions(text: string): boolean {
  return ADDRESSED.test(text);
}
