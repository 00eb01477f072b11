import type { SessionReport } from "./session-report.ts";

/** The place of the data in the page. */
const PLACE = '>"REPORT"<';

/**
 * Puts a report into the built report page: one HTML file that makes no requests.
 *
 * @param template Text of the built page
 */
export function reportHtml(template: string, report: SessionReport): string {
  // No text of the session can end the element that holds it.
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return template.replace(PLACE, () => `>${json}<`);
}
