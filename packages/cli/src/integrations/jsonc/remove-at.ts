import { isContainer, removeEntry } from "./edit-jsonc.ts";
import { type JsonNode, type JsonProperty, parseJsonc, propertyOf } from "./parse-jsonc.ts";

/** Names and indices that lead to a value. */
export type JsonPath = readonly (string | number)[];

/**
 * Takes out what a path leads to, and what is nothing without it.
 *
 * @param isNothing whether a container says nothing but what the path leads to through it
 */
export function removeAt(text: string, path: JsonPath, isNothing: (container: JsonNode) => boolean): string {
  const containers: JsonNode[] = [];
  let node = parseJsonc(text).node;
  for (const step of path) {
    if (!isContainer(node)) return text;
    containers.push(node);
    node = childAt(node, step);
  }
  let depth = path.length - 1;
  for (let inner = containers[depth]; depth > 0 && inner !== undefined && isNothing(inner); inner = containers[depth]) {
    depth -= 1;
  }
  const container = containers[depth];
  if (!isContainer(container)) return text;
  return removeEntry(text, container, indexOf(container, path[depth] ?? 0));
}

function childAt(node: JsonNode, step: string | number): JsonNode | undefined {
  if (node.type === "list") return node.children[Number(step)];
  return propertyOf(node, String(step))?.value;
}

function indexOf(node: JsonNode, step: string | number): number {
  if (node.type !== "object") return Number(step);
  return node.children.findLastIndex((child: JsonProperty) => child.key === step);
}
