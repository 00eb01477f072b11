/** Values that can be encrypted. */
export type Content = string | Uint8Array | null;

// Each value is a type byte and, unless null, a four-byte length and its bytes.
const [NOTHING, TEXT, BYTES] = [0, 1, 2];
const LENGTH_BYTES = 4;

/** Packs texts and bytes in order. */
export function writeEnvelope(values: readonly Content[]): Uint8Array {
  const pieces = values.map(toBytes);
  const lengths = pieces.map((piece) => (piece === null ? 1 : 1 + LENGTH_BYTES + piece.length));
  const envelope = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  pieces.forEach((piece, i) => {
    if (piece === null) at = envelope.writeUInt8(NOTHING, at);
    else {
      at = envelope.writeUInt8(typeof values[i] === "string" ? TEXT : BYTES, at);
      at = envelope.writeUInt32BE(piece.length, at);
      envelope.set(piece, at);
      at += piece.length;
    }
  });
  return envelope;
}

/** Unpacks the values of `writeEnvelope`. */
export function readEnvelope(bytes: Uint8Array): Content[] {
  const envelope = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: Content[] = [];
  for (let at = 0; at < envelope.length; ) {
    const kind = envelope.readUInt8(at);
    if (kind === NOTHING) {
      values.push(null);
      at += 1;
      continue;
    }
    const start = at + 1 + LENGTH_BYTES;
    at = start + envelope.readUInt32BE(at + 1);
    // A copy: callers may view the bytes as numbers, which need alignment.
    values.push(kind === TEXT ? envelope.toString("utf8", start, at) : new Uint8Array(envelope.subarray(start, at)));
  }
  return values;
}

function toBytes(value: Content): Uint8Array | null {
  return typeof value === "string" ? Buffer.from(value) : value;
}
