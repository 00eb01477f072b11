export type { Commit, SourceFile, SyntaxNode, Workspace } from "../ports/workspace.ts";
export { openWorkspace } from "./open-workspace.ts";
