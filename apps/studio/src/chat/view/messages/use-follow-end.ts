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
    /** Sees what moved since it last looked, and goes to the end where that is wanted. May be called at any time. */
    const look = () => {
      const element = scroller.current;
      if (element === null) return;
      const place = placeOf(element);
      if (isAtEnd(place)) isFollowing.current = true;
      else if (isLeaving(last.current, place)) isFollowing.current = false;
      if (isFollowing.current && !isAtEnd(place, 1)) element.scrollTop = place.scrollHeight;
      last.current = placeOf(element);
      setCanJump(!isAtEnd(last.current, JUMP_FROM));
    };
    const follow = (isWanted: boolean) => {
      isFollowing.current = isWanted;
      if (isWanted && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
    };
    return { look, followEnd: () => follow(true), leaveEnd: () => follow(false) };
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const sizes = new ResizeObserver(verbs.look);
    for (const watched of [element, ...element.children]) sizes.observe(watched);
    element.addEventListener("scroll", verbs.look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", verbs.look);
    };
  }, [scroller, verbs]);
  return { canJump, ...verbs };
}

function placeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollPlace {
  return { scrollTop, scrollHeight, clientHeight };
}
