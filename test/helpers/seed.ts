/** The seed of a test's random data: `usual`, unless ORTHODICT_TEST_SEED overrides it. */
export function testSeed(usual: number): number {
  const given = process.env.ORTHODICT_TEST_SEED;
  return given === undefined ? usual : Number(given);
}
