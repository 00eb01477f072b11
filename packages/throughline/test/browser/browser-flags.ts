/** Parts of Chromium's own window that no test sees and that take longer to open than the page. */
const UNSEEN = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"];
/** Features that Playwright turns off by a list that ours replaces. */
const UNWANTED = ["HttpsUpgrades", "MediaRouter", "OptimizationHints", "PaintHolding"];

export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${[...UNSEEN, ...UNWANTED].join(",")}`,
];
