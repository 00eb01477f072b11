const FILES = {
  json: { ending: "json", type: "application/json" },
  markdown: { ending: "md", type: "text/markdown" },
} as const;

/** Gives a text to the person as a file. */
export function downloadText(text: string, format: keyof typeof FILES, what = "memories"): void {
  const { ending, type } = FILES[format];
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `throughline-${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
  link.click();
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
