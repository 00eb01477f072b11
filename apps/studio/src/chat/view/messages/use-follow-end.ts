import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isAtEnd, isLeaving, type ScrollPlace } from "./scroll-place.ts";

/** Further from the end than this, in pixels, one can jump back to it. */
const JUMP_FROM = 80;

/** Keeps a list at its end, whatever grows or shrinks, until the person scrolls away from it. */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true);
  const [canJump, setCanJump] = useState(false);
  const settle = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    if (isFollowing.current && !isAtEnd(element, 1)) element.scrollTop = element.scrollHeight;
    setCanJump(!isAtEnd(element, JUMP_FROM));
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let last: ScrollPlace = placeOf(element);
    const onScroll = () => {
      const place = placeOf(element);
      if (isAtEnd(place)) isFollowing.current = true;
      else if (isLeaving(last, place)) isFollowing.current = false;
      last = place;
      setCanJump(!isAtEnd(place, JUMP_FROM));
    };
    const sizes = new ResizeObserver(settle);
    for (const watched of [element, ...element.children]) sizes.observe(watched);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, settle]);
  const verbs = useMemo(
    () => ({
      followEnd() {
        isFollowing.current = true;
        settle();
      },
      leaveEnd() {
        isFollowing.current = false;
      },
    }),
    [settle],
  );
  return { canJump, ...verbs };
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPlace {
  return { scrollTop, scrollHeight, clientHeight };
}
