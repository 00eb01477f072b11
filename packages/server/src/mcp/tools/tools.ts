import type { McpTool } from "../tool.ts";
import { assembleContextTool } from "./assemble-context-tool.ts";
import { consolidateTool } from "./consolidate-tool.ts";
import { contradictionsTool } from "./contradictions-tool.ts";
import { expandTool } from "./expand-tool.ts";
import { forgetTool } from "./forget-tool.ts";
import { recallTool } from "./recall-tool.ts";
import { rememberTool } from "./remember-tool.ts";
import { resolveContradictionTool } from "./resolve-contradiction-tool.ts";

/** In the order in which an agent meets them. */
export const TOOLS: readonly McpTool[] = [
  assembleContextTool,
  recallTool,
  expandTool,
  rememberTool,
  forgetTool,
  contradictionsTool,
  resolveContradictionTool,
  consolidateTool,
];
