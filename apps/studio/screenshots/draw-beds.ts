import { crc32, deflateSync } from "node:zlib";

const WIDTH = 320;
const HEIGHT = 240;
const SOIL = [201, 189, 168];
const BEDS = [
  { x: 24, y: 24, width: 272, height: 48, color: [118, 146, 96] },
  { x: 24, y: 96, width: 128, height: 120, color: [147, 128, 172] },
  { x: 168, y: 96, width: 128, height: 120, color: [172, 186, 132] },
];

/** A PNG of three beds from above, for the pictures with an attached image. */
export function drawBeds(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array.from({ length: WIDTH }, (__, x) => colorAt(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function colorAt(x: number, y: number): readonly number[] {
  const isIn = (bed: (typeof BEDS)[number]) =>
    x >= bed.x && x < bed.x + bed.width && y >= bed.y && y < bed.y + bed.height;
  return BEDS.find(isIn)?.color ?? SOIL;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
