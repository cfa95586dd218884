/** Runs before every test file: all properties draw from one seed, which ORTHODICT_TEST_SEED overrides. */
import * as fc from 'fast-check';
import { testSeed } from './seed.ts';

fc.configureGlobal({ seed: testSeed(1) });
