/** Converts text to bytes and back. */

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** Characters per call: all of them are arguments of one call. */
const AT_ONCE = 1 << 13;

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array | DataView): string => UTF8.decode(bytes);

/** Decodes Latin-1: every byte is one character; `TextDecoder` would read this label as another encoding. */
export const latin1Text = (bytes: Uint8Array): string => charactersOf(bytes);

/** Decodes UTF-16: 16 bits a unit; lone surrogates stay as they are. */
export const utf16Text = (units: Uint16Array): string => charactersOf(units);

/** Encodes text whose characters are below 256, one byte each. */
export const latin1Bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

function charactersOf(codes: Uint8Array | Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += AT_ONCE) {
    text += String.fromCharCode(...codes.subarray(at, at + AT_ONCE));
  }
  return text;
}
