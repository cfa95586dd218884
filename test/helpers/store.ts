/** A checkpoint store in memory. */
import type { Checkpoint, CheckpointStore } from '#src/engine/checkpoint.ts';

export function memoryStore(): CheckpointStore & { saved: Checkpoint | undefined } {
  return {
    interval: 0,
    saved: undefined,
    async load() {
      return this.saved && structuredClone(this.saved);
    },
    async save(checkpoint) {
      this.saved = structuredClone(checkpoint);
    },
  };
}
