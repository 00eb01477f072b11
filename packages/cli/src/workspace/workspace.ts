/**
 * A project on disk: its git history and parsed sources, for predictions.
 *
 * @module
 * @example
 * const tl = await createThroughline({ projectId: "shop", workspace: openWorkspace("/path/to/project") });
 */
export type { Commit, SourceFile, SyntaxNode, Workspace } from "throughline/internal/engine";
export { openWorkspace } from "./open-workspace.ts";
