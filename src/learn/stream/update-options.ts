/** Options of a stream that continues from a dictionary. Apart from the stream, so that help texts do not load it. */
import { defineOptions, positive } from '../../core/options.ts';

/** The options of `updateDictionary`. */
export const updateOptions = defineOptions({
  window: positive({
    placeholder: 'W',
    default: Number.POSITIVE_INFINITY,
    help: 'let the past count as at most this many samples, so that old ones are forgotten',
  }),
});
