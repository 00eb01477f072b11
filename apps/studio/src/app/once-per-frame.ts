/** Passes on the latest text, once per frame at the most. */
export function oncePerFrame(show: (text: string) => void): ((text: string) => void) & { cancel(): void } {
  let latest: string | undefined;
  let frame: number | undefined;
  const pass = (text: string) => {
    latest = text;
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      if (latest !== undefined) show(latest);
    });
  };
  return Object.assign(pass, {
    cancel: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
    },
  });
}
