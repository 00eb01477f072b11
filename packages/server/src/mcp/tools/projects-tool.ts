import { omitUndefined } from "throughline/internal";
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
  description: `Lists the projects that memories are stored for, last used first, with their numbers of memories and sessions. Call it when the user asks about another project; then pass its id as \`project\` to \`recall\`. Facts about the user are outside of projects and visible in all of them.`,
  input: z.strictObject({}),
  output: z.object({
    projects: z.array(
      z.object({
        id: z.string(),
        memories: z.int().describe("Memories that are true now."),
        sessions: z.int(),
        last_used_at: z.string().optional(),
      }),
    ),
    personal_memories: z.int().describe("Memories about the user, outside of projects."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ listProjects }) {
    const { projects, personal } = (await listProjects?.()) ?? NONE;
    const shown = projects.slice(0, MAX_PROJECTS).map(toShape);
    const lines = shown.map(({ id, memories, sessions }) => `${id}: ${memories} memories, ${sessions} sessions`);
    const text = shown.length === 0 ? "No projects yet." : quoteLines(lines);
    return { data: { projects: shown, personal_memories: personal.memories }, text };
  },
});

function toShape({ id, memories, sessions, lastUsedAt }: ProjectSummary) {
  const lastUse = lastUsedAt === undefined ? undefined : writeTime(lastUsedAt);
  return omitUndefined({ id, memories, sessions, last_used_at: lastUse });
}
