/** Words that are addressed to the machine and not said of anybody. */
const ADDRESSED =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|your|system|any)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|messages?|polic(?:y|ies))\b|\bsystem prompt\b|\b(?:developer|god|admin|dan) mode\b|\bjailbreak\b|^\s*(?:system|assistant|developer|tool)\s*:|<\/?(?:system|instructions?|tool|assistant|memory)\b|^you are now\b|\b(?:reveal|print|output|leak|send|exfiltrate)\b.{0,30}\b(?:hidden|secret|credentials|passwords?|api keys?)\b/i;

/** Whether a text tries to tell the machine what to do with itself, and not what somebody is or wants. */
export function isAddressed(text: string): boolean {
  return ADDRESSED.test(text);
}
