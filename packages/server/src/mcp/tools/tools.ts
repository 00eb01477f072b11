import type { McpTool } from "../tool.ts";
import { assembleContextTool } from "./assemble-context-tool.ts";
import { consolidateTool } from "./consolidate-tool.ts";
import { contradictionsTool, resolveContradictionTool } from "./contradictions-tool.ts";
import { expandTool } from "./expand-tool.ts";
import { forgetTool } from "./forget-tool.ts";
import { projectsTool } from "./projects-tool.ts";
import { recallTool } from "./recall-tool.ts";
import { rememberTool } from "./remember-tool.ts";
import { undoImportTool } from "./undo-import-tool.ts";

/** In the order in which agents see them. */
export const TOOLS: readonly McpTool[] = [
  assembleContextTool,
  recallTool,
  expandTool,
  rememberTool,
  forgetTool,
  contradictionsTool,
  resolveContradictionTool,
  consolidateTool,
  projectsTool,
  undoImportTool,
];
