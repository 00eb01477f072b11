export type { Commit, SourceFile, SyntaxNode, Workspace } from "throughline/internal";
export { openWorkspace } from "./open-workspace.ts";
