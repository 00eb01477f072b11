import type { Command } from "commander";
import { readSettings } from "./read-settings.ts";

/** Gives a command the project of the settings, where it takes one and nobody named another. */
export function takeSettings(command: Command): void {
  const isTaken = command.options.some(({ long }) => long === "--project");
  if (!isTaken || command.getOptionValueSource("project") !== undefined) return;
  const { project } = readSettings();
  if (project !== undefined) command.setOptionValueWithSource("project", project, "config");
}
