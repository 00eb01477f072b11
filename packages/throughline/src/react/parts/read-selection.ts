import { omitUndefined } from "../../internal/json.ts";

/** Text that the user selected in a message. */
export interface MarkedText {
  /** Selected text, with single spaces. */
  readonly text: string;
  /** `data-message-id` of the message. */
  readonly messageId?: string;
}

/** Elements in which text can be marked to be remembered. */
const PLACE = "[data-remember]";

/** The range of the selection within one message; `undefined` if it is empty or spans several. */
export function readMarkedRange(
  selection: Selection | null,
): { readonly range: Range; readonly place: Element } | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const place = placeOf(range.startContainer) ?? placeOf(range.endContainer);
  if (!place) return undefined;
  const clipped = clip(range, place);
  // A triple click reaches to the beginning of what follows; that adds no words.
  return squeeze(clipped) !== "" && squeeze(clipped) === squeeze(range) ? { range: clipped, place } : undefined;
}

export function readMarkedText(selection: Selection | null): MarkedText | undefined {
  const marked = readMarkedRange(selection);
  if (!marked) return undefined;
  const messageId = marked.place.closest("[data-message-id]")?.getAttribute("data-message-id") ?? undefined;
  return omitUndefined({ text: squeeze(marked.range), messageId });
}

function placeOf(node: Node): Element | undefined {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(PLACE) ?? undefined;
}

function clip(range: Range, place: Element): Range {
  const clipped = range.cloneRange();
  if (!place.contains(range.startContainer)) clipped.setStart(place, 0);
  if (!place.contains(range.endContainer)) clipped.setEnd(place, place.childNodes.length);
  return clipped;
}

function squeeze(range: Range): string {
  return range.toString().replace(/\s+/g, " ").trim();
}
