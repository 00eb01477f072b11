import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { omitUndefined } from "../../internal/json.ts";

/** Text that the user selected in a message. */
export interface MarkedText {
  /** Selected text, with single spaces. */
  readonly text: string;
  /** `data-message-id` of the message. */
  readonly messageId?: string;
}

/** Props of `RememberSelection`. */
export interface RememberSelectionProps {
  /** Called with the selected text when the button is clicked. */
  readonly onRemember: (marked: MarkedText) => void;
  /** Content of the button. Default: "🧠 Remember". */
  readonly children?: ReactNode;
  /** Class name of the button. */
  readonly className?: string | undefined;
  /** Class name of the hint for screen readers: hide it visually. */
  readonly hintClassName?: string | undefined;
}

interface Shown {
  readonly marked: MarkedText;
  readonly side: "top" | "bottom";
  readonly style: CSSProperties;
}

/**
 * Button that floats at selected text, to save it as a memory. Works for text within an element with `data-remember`;
 * `data-message-id` on that element or around it names the message. Tab moves the focus from the text to the button,
 * Escape hides it.
 *
 * @param props Callback, content and class names.
 *
 * @example
 * const button = <RememberSelection onRemember={({ text }) => void book.add({ text })} />;
 */
export function RememberSelection({
  onRemember,
  children,
  className,
  hintClassName,
}: RememberSelectionProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [shown, hide] = useMarkedText(button);
  const isShown = shown !== undefined;

  // Runs before the button is painted, so that an immediate Tab finds the listener.
  useLayoutEffect(() => {
    if (!isShown) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") hide();
      if (event.key !== "Tab" || event.shiftKey || event.defaultPrevented) return;
      if (document.activeElement === button.current) return;
      event.preventDefault();
      button.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isShown, hide]);

  return (
    <>
      <span role="status" className={hintClassName}>
        {isShown ? "Press Tab to save the selected text." : ""}
      </span>
      {shown && (
        <button
          ref={button}
          type="button"
          data-side={shown.side}
          className={className}
          style={shown.style}
          // The text stays marked while the button is pressed.
          onPointerDown={(event) => event.preventDefault()}
          onBlur={hide}
          onClick={() => {
            hide();
            document.getSelection()?.removeAllRanges();
            onRemember(shown.marked);
          }}
        >
          {children ?? "🧠 Remember"}
        </button>
      )}
    </>
  );
}

/** The selected text with its position. It follows the page's scrolling, and waits for the end of the selection. */
function useMarkedText(button: { readonly current: HTMLElement | null }): [Shown | undefined, () => void] {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const listening = new AbortController();
    let isPressed = false;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (document.activeElement === button.current && button.current) return;
        setShown(isPressed ? undefined : readShown());
      });
    };
    const on = (target: EventTarget, type: string, listener: (event: Event) => void) =>
      target.addEventListener(type, listener, { capture: true, passive: true, signal: listening.signal });
    const press = (event: Event, next: boolean) => {
      if (event.target instanceof Node && button.current?.contains(event.target)) return;
      isPressed = next;
      look();
    };
    on(document, "pointerdown", (event) => press(event, true));
    on(document, "pointerup", (event) => press(event, false));
    on(document, "pointercancel", (event) => press(event, false));
    on(document, "selectionchange", look);
    on(document, "scroll", look);
    on(window, "resize", look);
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [button]);
  const [hide] = useState(() => () => setShown(undefined));
  return [shown, hide];
}

const ROOM = 56;

function readShown(): Shown | undefined {
  const selection = document.getSelection();
  const marked = readMarkedText(selection);
  const found = readMarkedRange(selection);
  if (!marked || !found) return undefined;
  const box = found.range.getBoundingClientRect();
  const isTouched = matchMedia("(pointer: coarse)").matches;
  // A touched selection has the system's own menu above it.
  const side = isTouched || box.top < ROOM ? "bottom" : "top";
  const left = Math.min(Math.max(box.left + box.width / 2, ROOM), innerWidth - ROOM);
  const top = side === "top" ? box.top : Math.min(box.bottom, innerHeight - ROOM);
  return { marked, side, style: { position: "fixed", left, top } };
}

/** Elements in which text can be marked to be remembered. */
const PLACE = "[data-remember]";

/** The range of the selection within one message; `undefined` if it is empty or spans several. */
function readMarkedRange(selection: Selection | null): { readonly range: Range; readonly place: Element } | undefined {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const place = placeOf(range.startContainer) ?? placeOf(range.endContainer);
  if (!place) return undefined;
  const clipped = clip(range, place);
  // A triple click selects up to the start of the next block, which adds no words.
  return collapseSpaces(clipped) !== "" && collapseSpaces(clipped) === collapseSpaces(range)
    ? { range: clipped, place }
    : undefined;
}

export function readMarkedText(selection: Selection | null): MarkedText | undefined {
  const marked = readMarkedRange(selection);
  if (!marked) return undefined;
  const messageId = marked.place.closest("[data-message-id]")?.getAttribute("data-message-id") ?? undefined;
  return omitUndefined({ text: collapseSpaces(marked.range), messageId });
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

function collapseSpaces(range: Range): string {
  return range.toString().replace(/\s+/g, " ").trim();
}
