/** A pass from outside the package whose contributions are hard to send: loaded by the tests, and by the threads they start. */
import { definePass } from '../../dist/engine/registry.js';

export const oddPass = definePass(import.meta.url, {
  name: 'odd',
  contribute(_chunk, { what }) {
    const data = Float64Array.of(1);
    return what === 'a function' ? { data, code: () => 1 } : { data, again: data };
  },
  add: (total) => total,
});
