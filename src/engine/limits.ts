/**
 * Budgets: the options that say how long a run may take, and nothing about what it computes. They are no part of the
 * identity of a checkpoint: a run that used one up goes on where it stands when it is resumed with a larger one.
 */

/** The names of these options, in every table. */
const BUDGETS: readonly string[] = ['maxIterations', 'maxSeconds', 'starts'];

/** Finite ones by name; an absent one has no end. */
export type Budgets = Readonly<Record<string, number>>;

type Values = Readonly<Record<string, unknown>>;

/** Divides options into budgets and all others. */
export function divideBudgets(options: Values): { readonly budgets: Budgets; readonly others: Values } {
  const entries = Object.entries(options);
  const isFiniteBudget = ([name, value]: [string, unknown]) => BUDGETS.includes(name) && Number.isFinite(value);
  return {
    budgets: Object.fromEntries(entries.filter(isFiniteBudget)) as Budgets,
    others: Object.fromEntries(entries.filter(([name]) => !BUDGETS.includes(name))),
  };
}

/** Whether something is left of each budget that was drawn on. */
export const isWithin = (spent: Budgets, budgets: Budgets): boolean =>
  Object.entries(spent).every(([name, amount]) => amount < (budgets[name] ?? Number.POSITIVE_INFINITY));
