import { buffer } from "node:stream/consumers";
import type { Download } from "playwright-core";

/** The bytes of a file that the page offered for download. */
export async function readDownload(download: Promise<Download>): Promise<Buffer> {
  return buffer(await (await download).createReadStream());
}
