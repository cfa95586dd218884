/** How sure the atoms of a result are, as numbers and in words. */
export interface Certainty {
  /** Atoms that their codes' exact zeros certify (see certificate.ts), */
  readonly certified: number;
  /** of so many. */
  readonly atoms: number;
  /** Two different starts ended in these atoms. */
  readonly reproducible: boolean;
}

/** Such as `certified: 50 of 50 atoms`. */
export function certaintyWords({ certified, atoms, reproducible }: Certainty): string {
  if (certified > 0) return `certified: ${certified} of ${atoms} atoms`;
  return reproducible ? 'reproducible from two starts' : 'not certified';
}

/** Whether another start would end in the same atoms, as far as the data can tell. */
export const isSure = (certainty: Certainty | undefined): boolean =>
  certainty !== undefined && (certainty.certified === certainty.atoms || certainty.reproducible);
