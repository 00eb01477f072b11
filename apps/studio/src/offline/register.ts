// After the first visit the Studio opens without its server. Only as it is built: what is being worked on is not kept.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  // The page comes first; then its files are kept.
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch((reason: unknown) => {
      // Some browsers keep nothing in a private window. The chat works all the same.
      console.info("The Studio is not kept for use without its server.", reason);
    });
  });
}
