// A page that learns with orthodict, to be bundled. It tells how that went, and its longest tasks.
import { createBrowserExecutor, learn, pictureBlob, readPicture, shareMatrix } from 'orthodict/browser';

const longTasks = [];
new PerformanceObserver((list) => {
  longTasks.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ type: 'longtask' });

/** A file beside the page, as a matrix. */
async function fetchMatrix(name, cols) {
  const data = new Float64Array(await (await fetch(name)).arrayBuffer());
  return { rows: data.length / cols, cols, data };
}

/** Learns from samples.bin, starting at start.bin, as often as it is told. The bytes of the atoms are in base 64. */
window.learn = async ({ threads, backend, features, options, times = 1 }) => {
  const executor = await createBrowserExecutor({ threads, backend });
  await executor.warm?.();
  const samples = shareMatrix(await fetchMatrix('samples.bin', features));
  const start = await fetchMatrix('start.bin', features);
  const seconds = [];
  let result;
  longTasks.length = 0;
  for (let k = 0; k < times; k++) {
    result = await learn(samples, { ...options, start }, { executor });
    seconds.push(result.seconds);
  }
  await executor.close();
  const { dictionary, status } = result;
  const bytes = new Uint8Array(Float64Array.from(dictionary.atoms.data).buffer);
  return {
    isolated: crossOriginIsolated,
    threads: result.threads,
    backend: result.backend,
    status,
    seconds,
    longTasks,
    atoms: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  };
};

/** Whether a picture in colour survives being written and read. */
window.keepsPicture = async (width, height) => {
  const pixels = Uint8Array.from({ length: 3 * width * height }, (_, k) => (7 * k) % 251);
  const read = await readPicture(await pictureBlob({ width, height, channels: 3, pixels }));
  const isSame = read.pixels.length === pixels.length && read.pixels.every((pixel, k) => pixel === pixels[k]);
  return [read.width, read.height, isSame];
};
