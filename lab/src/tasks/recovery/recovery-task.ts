/** Contenders that recover a planted dictionary may be told how well. */
import type { Contender, Task } from '../../contenders/contender.ts';

export interface RecoveryTask extends Task {
  /** Recovery error to reach; a contender may choose its options accordingly, as its user would. */
  readonly target: number;
}

export interface RecoveryContender extends Contender<RecoveryTask> {
  /** Whether the target changes what it does; if not, one run serves all targets. */
  readonly targeted: boolean;
}

/** Recovery errors reached by ℓ4 maximisation alone, and by exact recovery. */
export const COARSE = 5e-3;
export const EXACT = 1e-10;
export const TARGETS = [COARSE, EXACT] as const;
