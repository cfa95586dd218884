/** Every threshold by which a run of `learn` decides, with its unit, what it decides and where it was measured. */
export const policy = {
  pilot: {
    /** Samples of the first steps: at least this many, or this many per squared number of atoms. */
    samples: 4096,
    perSquare: 0.65,
    /** Factor by which the samples grow if they were too few. */
    growth: 2,
    /** Largest share of the samples that a second pilot may take, if a coreset can take over; and the least samples per atom of that coreset. */
    largest: 0.1,
    coresetPerAtom: 200,
    /** Most steps: a pilot that has not arrived by then never does, as mixtures of atoms can last on small parts. */
    steps: 40,
    /**
     * A pilot crawls if its recent steps shorten by less than this factor, and ever more slowly: long steps that find
     * nothing, or short ones that are the noise of a part.
     */
    shortening: 0.95,
  },
  part: {
    /** Largest part, as a share of all samples: a larger one saves too little. */
    largest: 0.6,
    /** Least share of the wanted size that a part may shrink to for it. */
    leastOfWish: 0.7,
  },
  ascend: {
    /** Largest movement of an atom in a step at which the basin is reached; the refinement does the rest. */
    basinMovement: 0.1,
  },
  refine: {
    /** Samples to refine on first: at least this many, or this many per atom; more in proportion if the pilot took more. */
    samples: 2048,
    perAtom: 60,
    /**
     * For codes that are independent but need not be sparse. Skewed densities without zeros have an advantage of up to
     * .04 nats, sparse ones that refining makes exact .14 and more.
     */
    independent: { collapse: 3, hopeful: 0.05 },
    /** Most steps with the l3 norm towards the solution, where samples are few; most runs that succeed take 8 to 24. */
    approachSteps: 24,
    /** A further ascent of at most this many steps leaves atoms where a refinement has been rejected. */
    restedSteps: 3,
    /** Advantage of the spike and slab, in nats per code, that is too clear to be tested by a first step. */
    clearAdvantage: 0.1,
    /**
     * On white data, steps after the first within which the zeros must get clearer: their level falls to this share, or the
     * movement of the atoms to that share, of what the first step left. On digits the level stays and atoms go on moving.
     */
    probation: { steps: 4, level: 0.97, change: 0.25 },
  },
  certify: {
    /**
     * Median excess kurtosis of the atoms' codes from which codes without zeros are searched only if another start leads to the same
     * atoms, and what K/p adds to it. Codes that a search made exact had up to 2.7 with 50 samples an atom and 5.2 with 25; word vectors have 5.0, digits 6.3, patches 10.
     */
    tails: 3.2,
    tailsPerShare: 70,
    /** Steps of that other start: very sparse codes with noise take 9 or 10. */
    steps: 12,
  },
} as const;
