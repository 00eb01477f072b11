const CHUNK = 0x8000;

/** Encodes bytes as base64. A string is base64 already and is returned as it is. */
export function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  for (let start = 0; start < data.length; start += CHUNK) {
    binary += String.fromCharCode(...data.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** Decodes the first bytes of base64 data, e.g. to read a header; `undefined` if it is not base64. */
export function headBytes(data: string | Uint8Array, count: number): Uint8Array | undefined {
  // Base64 can only be decoded in groups of four characters.
  return typeof data === "string" ? fromBase64(data.slice(0, Math.ceil(count / 3) * 4)) : data.subarray(0, count);
}

/** Decodes base64 data; `undefined` if it is not base64. */
export function fromBase64(data: string | Uint8Array): Uint8Array | undefined {
  if (typeof data !== "string") return data;
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the number of bytes without decoding them. */
export function byteLength(data: string | Uint8Array): number {
  return typeof data === "string" ? Math.floor((data.length * 3) / 4) : data.length;
}

/** Decodes base64 data or bytes to text; `undefined` if it is not base64. */
export function decodeText(data: string | Uint8Array): string | undefined {
  const bytes = fromBase64(data);
  return bytes && new TextDecoder().decode(bytes);
}
