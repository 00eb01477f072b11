/** Types of `throughline/token-ranks.bin` and `throughline/word-vectors.bin`, which edge runtimes import as bytes. */
declare const bytes: ArrayBuffer;
export default bytes;
