/**
 * How few samples can determine an orthogonal dictionary of n atoms, by counting equations and unknowns.
 *
 *     unknowns    n(n − 1)/2, the dimension of the orthogonal group
 *     equations   one for every code that is zero: np(1 − θ) on average
 */
import type { Point } from '../framework/experiment.ts';

/** p at which there are as many equations as unknowns: (n − 1)/(2(1 − θ)). */
export const equationLimit = ({ n, theta }: Point): number => (n - 1) / (2 * (1 - theta));

/** p at which an atom has n zeros on average, n/(1 − θ); a certificate asks for more than n. */
export const certificateLimit = ({ n, theta }: Point): number => n / (1 - theta);
