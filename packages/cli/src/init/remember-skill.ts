/** Name of the skill: agents offer it as `/remember`, Codex as `$remember`. */
export const SKILL_NAME = "remember";

const BEFORE_PROGRAM = `---
name: ${SKILL_NAME}
description: Saves memories for later sessions with Throughline. Use it when the user asks you to remember something, or states a lasting rule, a correction or a decision and no remember tool is available.
---

# Remember

Save what later sessions in this project should know.

1. Take the text that the user gave with this skill. If there is none, take from this session the user's standing rules and corrections, decisions with their reasons, and commands or causes that took effort to find.
2. Write each as one or two sentences that make sense on their own: names instead of "it" and "this", the user's wording where possible, the reason if there is one. For example:
   - Use pnpm in this repository, not npm.
   - We chose SQLite over Redis because customers run offline.
   - API tests need the database: \`make db-up && pnpm test:api\`.
3. Save each one with the \`remember\` tool of the \`throughline\` MCP server. If you do not have that tool, run this command with the statement on standard input:

   \`\`\`sh
   `;

const AFTER_PROGRAM = ` remember --project . <<'END'
   Use pnpm in this repository, not npm.
   END
   \`\`\`

4. Read the answer. It lists related memories with their ids. If the new memory makes one of them outdated, save it again with \`replaces: ["ID"]\` (on the command line: \`--replaces ID\`).
5. Tell the user in one line per memory what you saved and what it replaced.

Do not save one-time requests ("fix the typo in line 3"), what the code, its documentation or git already shows, guesses, or passwords and keys. If nothing is worth saving, say so.
`;

/**
 * A skill after the Agent Skills standard (agentskills.io), which Claude Code, Codex, OpenCode, Gemini CLI, Cursor and
 * VS Code load in the same form. They append the text that the user types after its name.
 *
 * @param program the command line of Throughline, for agents without its MCP server
 */
export function rememberSkill(program: string): string {
  return `${BEFORE_PROGRAM}${program}${AFTER_PROGRAM}`;
}

/** True if Throughline wrote the file in this version, with any command line, and it is unedited. */
export function isOurSkill(text: string): boolean {
  const rest = text.slice(BEFORE_PROGRAM.length, -AFTER_PROGRAM.length);
  return text === rememberSkill(rest) && !rest.includes("\n");
}
