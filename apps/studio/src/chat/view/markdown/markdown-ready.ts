import { createElement, type FunctionComponent } from "react";
import type { MarkdownProps } from "./markdown.tsx";

/**
 * The Markdown component, loaded in parallel with the rest. If it cannot be loaded, texts are shown as they were
 * written.
 */
export const markdownReady: Promise<FunctionComponent<MarkdownProps>> = import("./markdown.tsx").then(
  (module) => module.default,
  () => Plain,
);

function Plain({ text }: MarkdownProps) {
  return createElement("p", { style: { whiteSpace: "pre-wrap" } }, text);
}
