import { constants, crc32, deflateRawSync } from "node:zlib";

/** Bytes per part. Compressed lengths have to fit into two bytes. */
const PART = 32_768;

/**
 * Compresses bytes as a gzip file whose parts can be decompressed by themselves, with their lengths in the extra field
 * `RA` of dictzip. Programs that do not know the field read the file as any other.
 *
 * @param {Uint8Array} bytes
 */
export function gzipParts(bytes) {
  const count = Math.ceil(bytes.length / PART);
  const parts = Array.from({ length: count }, (_, part) => {
    const isLast = part === count - 1;
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_FULL_FLUSH;
    return deflateRawSync(bytes.subarray(part * PART, (part + 1) * PART), { level: 9, finishFlush });
  });
  const head = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 2, 255]);
  const lengths = [1, PART, count, ...parts.map(({ length }) => length)];
  const extra = Buffer.alloc(6 + 2 * lengths.length);
  extra.writeUInt16LE(extra.length - 2, 0);
  extra.write("RA", 2, "latin1");
  extra.writeUInt16LE(2 * lengths.length, 4);
  lengths.forEach((length, at) => {
    extra.writeUInt16LE(length, 6 + 2 * at);
  });
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, extra, ...parts, tail]);
}
