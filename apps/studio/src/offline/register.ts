// After the first visit the Studio opens without its server. Not in development.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // The page loads first; then its files are cached.
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch((reason: unknown) => {
      // Some browsers cache nothing in a private window. The chat works without it.
      console.info("Could not cache the Studio for offline use.", reason);
    });
  });
}
