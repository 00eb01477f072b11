import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { isAtEnd, isLeaving, type ScrollPlace } from "./scroll-place.ts";

/** Further from the end than this, in pixels, one can jump back to it. */
const JUMP_FROM = 80;

/** Keeps a list at its end, whatever grows or shrinks, until the person scrolls away from it. */
export function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const [canJump, setCanJump] = useState(false);
  const isFollowing = useRef(true);
  const last = useRef<ScrollPlace>({ scrollTop: 0, scrollHeight: 0, clientHeight: 0 });
  const verbs = useMemo(() => {
    /** Goes to the end if it is followed. May be called at any time. */
    const look = () => update(false);
    /** Only a scroll event can be the person's. Rows that change their size move the list as well. */
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
