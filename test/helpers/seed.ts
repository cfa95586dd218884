/** The seed of a test's random data: the given one, or what ORTHODICT_TEST_SEED says, so that it can be varied from outside. */
export function testSeed(usual: number): number {
  const given = process.env.ORTHODICT_TEST_SEED;
  return given === undefined ? usual : Number(given);
}
