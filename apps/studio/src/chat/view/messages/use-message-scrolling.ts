import { defaultRangeExtractor, type Range, type ReactVirtualizer, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { guessHeight, type ListRow } from "./list-rows.ts";

interface MessageScrollingOptions {
  readonly rows: readonly ListRow[];
  readonly editedId: string | undefined;
  /** Changes on each user message or requested answer; `undefined` without a new one. */
  readonly askedFor: string | undefined;
  /** Number of requested summaries. */
  readonly summaries: number;
  readonly jump: Jump | undefined;
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** Rows in the page and the scroll position: the end, the target of a jump, or a place the person scrolled to. */
export function useMessageScrolling(options: MessageScrollingOptions) {
  const { rows, editedId, askedFor, summaries, jump, onJumped } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const { canJump, look, followEnd, leaveEnd } = useFollowEnd(scroller);
  const { holdRow, virtualizer, places } = useMessageVirtualizer({
    rows,
    scroller,
    editedKey: editedId,
    onChange: look,
  });
  // A sent message is scrolled into view from any position.
  useLayoutEffect(() => {
    if (askedFor !== undefined) followEnd();
  }, [askedFor, followEnd]);
  // So is the note of a summary.
  useLayoutEffect(() => {
    if (summaries > 0) followEnd();
  }, [summaries, followEnd]);
  const targetId = useJump({ jump, places, virtualizer, leaveEnd, onJumped });
  const goToStart = useCallback(() => {
    leaveEnd();
    virtualizer.scrollToIndex(0);
  }, [leaveEnd, virtualizer]);
  return { scroller, virtualizer, holdRow, canJump, followEnd, goToStart, targetId };
}

/** Distance from the end, in pixels, from which on a button jumps back. */
const JUMP_FROM = 80;

/** Keeps a list at its end while rows grow or shrink, until the person scrolls up. */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const [canJump, setCanJump] = useState(false);
  const isFollowing = useRef(true);
  const last = useRef<ScrollPlace>({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });
  const verbs = useMemo(() => {
    /** Goes to the end if it is followed. May be called at any time. */
    const look = () => update(false);
    /** A scroll event may come from the person. Rows that change their size move the list as well. */
    const onScroll = () => update(true);
    const update = (isScroll: boolean) => {
      const element = scroller.current;
      if (element === null) return;
      const place = placeOf(element);
      if (isAtEnd(place)) isFollowing.current = true;
      else if (isScroll && isLeaving(last.current, place)) isFollowing.current = false;
      if (isFollowing.current && !isAtEnd(place, 1)) element.scrollTop = place.scrollHeight;
      last.current = placeOf(element);
      setCanJump(!isAtEnd(last.current, JUMP_FROM));
    };
    const follow = (isWanted: boolean) => {
      isFollowing.current = isWanted;
      if (isWanted && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
    };
    return { look, onScroll, followEnd: () => follow(true), leaveEnd: () => follow(false) };
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const sizes = new ResizeObserver(verbs.look);
    for (const watched of [element, ...element.children]) sizes.observe(watched);
    element.addEventListener("scroll", verbs.onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", verbs.onScroll);
    };
  }, [scroller, verbs]);
  return { canJump, ...verbs };
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPlace {
  return { scrollTop, scrollHeight, clientHeight };
}

/** Scroll position of a list, in pixels. */
type ScrollPlace = Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">;

/** Distance, in pixels, within which a list counts as scrolled to its end. */
const AT_END = 16;

export function isAtEnd({ scrollTop, scrollHeight, clientHeight }: ScrollPlace, within = AT_END): boolean {
  return scrollHeight - clientHeight - scrollTop <= within;
}

/** Returns if the person scrolled up. A list that shrinks, or a screen that grows, moves it too and does not count. */
export function isLeaving(before: ScrollPlace, after: ScrollPlace): boolean {
  const wasPushed = after.scrollHeight < before.scrollHeight || after.clientHeight > before.clientHeight;
  return after.scrollTop < before.scrollTop && !wasPushed;
}

/** Time for which the target of a jump is highlighted, in milliseconds. */
const TARGET_SHOWN_FOR = 1_600;

/** A message to go to. */
export interface Jump {
  readonly messageId: string;
  readonly at: number;
}

interface JumpOptions {
  readonly jump: Jump | undefined;
  readonly places: ReadonlyMap<string, number>;
  readonly virtualizer: MessageVirtualizer;
  readonly leaveEnd: () => void;
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** Scrolls to a message and returns the highlighted one. */
function useJump({ jump, places, virtualizer, leaveEnd, onJumped }: JumpOptions): string | undefined {
  const [targetId, setTargetId] = useState<string>();
  useEffect(() => {
    if (jump === undefined) return;
    const index = places.get(jump.messageId);
    if (index !== undefined) {
      leaveEnd();
      virtualizer.scrollToIndex(index, { align: "center" });
      setTargetId(jump.messageId);
    }
    onJumped(jump, index !== undefined);
  }, [jump, places, virtualizer, leaveEnd, onJumped]);
  useEffect(() => {
    if (targetId === undefined) return;
    const timer = setTimeout(() => setTargetId(undefined), TARGET_SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [targetId]);
  return targetId;
}

const ROWS_BEYOND_THE_SCREEN = 6;
const GAP = 8;

type MessageVirtualizer = ReactVirtualizer<HTMLDivElement, HTMLDivElement>;

interface MessageVirtualizerOptions {
  readonly rows: readonly ListRow[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly editedKey: string | undefined;
  /** Called in the frame in which rows change their size or place. */
  readonly onChange: () => void;
}

/** Puts only those rows into the page that are on screen. */
function useMessageVirtualizer({ rows, scroller, editedKey, onChange }: MessageVirtualizerOptions) {
  const heldKey = useRef<string>(undefined);
  /** Keeps the focused row in the page. */
  const holdRow = useCallback((key: string | undefined) => {
    heldKey.current = key;
  }, []);
  const places = useMemo(() => new Map(rows.map((row, index) => [row.key, index])), [rows]);
  const latest = useRef({ places, editedKey });
  latest.current = { places, editedKey };
  const rangeExtractor = useCallback((range: Parameters<typeof keepInRange>[0]) => {
    const kept = [heldKey.current, latest.current.editedKey];
    return keepInRange(
      range,
      kept.map((key) => (key === undefined ? -1 : (latest.current.places.get(key) ?? -1))),
    );
  }, []);
  // The first rows that are made are the last ones: a conversation opens at its end.
  const [initialOffset] = useState(() => rows.reduce((sum, row) => sum + guessHeight(row) + GAP, 0));
  const virtualizer: MessageVirtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => guessHeight(rows[index] as ListRow),
    rangeExtractor,
    onChange,
    initialOffset,
    overscan: ROWS_BEYOND_THE_SCREEN,
    gap: GAP,
    paddingStart: 12,
    paddingEnd: 20,
    directDomUpdates: true,
  });
  return { holdRow, virtualizer, places };
}

/** The rows on screen, and the focused and edited rows anywhere: scrolling must not lose them. */
export function keepInRange(range: Range, kept: readonly number[]): number[] {
  const shown = defaultRangeExtractor(range);
  const missing = kept.filter((index) => index >= 0 && index < range.count && !shown.includes(index));
  return [...new Set([...shown, ...missing])].sort((a, b) => a - b);
}
