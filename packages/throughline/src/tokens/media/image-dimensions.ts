import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { headBytes } from "../../message/convert/base64.ts";

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Image formats that every provider accepts. */
const READERS = [PNG, JPG, GIF, WEBP];
/** Maximum bytes to parse: enough for a photo's metadata, and a limit for hostile files. */
const HEAD_BYTES = 64 * 1024;

/** Reads the size of an image from its first bytes; `undefined` if they do not contain it. */
export function imageDimensions(data: string | Uint8Array): Dimensions | undefined {
  const head = headBytes(data, HEAD_BYTES);
  if (head === undefined) return undefined;
  try {
    const size = READERS.find((reader) => reader.validate(head))?.calculate(head);
    return size !== undefined && size.width > 0 && size.height > 0
      ? { width: size.width, height: size.height }
      : undefined;
  } catch {
    // The readers throw on truncated or invalid headers.
    return undefined;
  }
}
