/** Every threshold by which a run of `learn` decides, with its unit, what it decides and where it was measured. */
export const policy = {
  pilot: {
    /** Samples of the first steps: at least this many, or this many per squared number of atoms. */
    samples: 4096,
    perSquare: 0.65,
    /** Factor by which the samples grow if they were too few. */
    growth: 2,
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
  },
} as const;
