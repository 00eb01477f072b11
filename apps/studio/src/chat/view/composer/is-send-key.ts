/** Returns if a key press sends the message. Enter that ends a composition (Japanese, Chinese, …) does not. */
export function isSendKey(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "isComposing" | "keyCode">,
): boolean {
  // Safari reports the Enter that ends a composition behind its end, with this code.
  const isComposing = event.isComposing || event.keyCode === 229;
  return event.key === "Enter" && !event.shiftKey && !event.altKey && !isComposing;
}
