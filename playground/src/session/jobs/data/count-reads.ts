/** Counts what is read of a file. The library reads a Blob by its slices; those of a copy in another worker do not count. */

export interface CountedFile {
  readonly file: Blob;
  /** Number of bytes requested so far. */
  readonly bytes: number;
}

/** Milliseconds between two reports. */
const PACE = 50;

export function countReads(file: Blob, onRead: (bytes: number) => void = () => {}): CountedFile {
  const counted = { file: file.slice(0, file.size, file.type), bytes: 0 };
  let told = 0;
  const slice = (start = 0, end = file.size, type?: string): Blob => {
    const piece = file.slice(start, end, type);
    counted.bytes += piece.size;
    if (performance.now() - told > PACE) {
      told = performance.now();
      onRead(Math.min(counted.bytes, file.size));
    }
    return piece;
  };
  Object.defineProperty(counted.file, 'slice', { value: slice });
  return counted;
}
