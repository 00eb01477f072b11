import type { ProjectSummary, UserProjects } from "throughline/memory";
import { z } from "zod";
import { writeTime } from "../dates.ts";
import { quoteLines } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_PROJECTS = 100;
const NONE: UserProjects = { projects: [], personal: { memories: 0, archived: 0, sessions: 0 } };

export const projectsTool = defineTool({
  name: "projects",
  title: "Projects",
  description: `Lists the projects that memories are stored for, last used first, with their numbers of memories and sessions. Call it when the user asks about another project; then pass its id as \`project\` to \`recall\`.`,
  input: z.strictObject({}),
  effect: "reads",
  isIdempotent: true,
  async run({ listProjects }) {
    const { projects, personal } = (await listProjects?.()) ?? NONE;
    const lines = projects.slice(0, MAX_PROJECTS).map(describe);
    const about = `Memories about the user, outside of projects: ${personal.memories}`;
    return lines.length === 0 ? "No projects yet." : quoteLines([...lines, about]);
  },
});

function describe({ id, memories, sessions, lastUsedAt }: ProjectSummary): string {
  const lastUse = lastUsedAt === undefined ? "" : `, last used ${writeTime(lastUsedAt).slice(0, 10)}`;
  return `${id}: ${memories} memories, ${sessions} sessions${lastUse}`;
}
