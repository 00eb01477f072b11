import { createElement, type FunctionComponent } from "react";
import type { MarkdownProps } from "./markdown.tsx";

/**
 * The component that shows markdown, fetched beside the rest and at once. Where it cannot be fetched, words are shown
 * as they were written.
 */
export const markdownReady: Promise<FunctionComponent<MarkdownProps>> = import("./markdown.tsx").then(
  (module) => module.default,
  () => Plain,
);

function Plain({ text }: MarkdownProps) {
  return createElement("p", { style: { whiteSpace: "pre-wrap" } }, text);
}
