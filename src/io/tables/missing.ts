/** Texts that stand for a missing number. */

/** Matches empty text, NA, N/A, NaN, null, none, infinite, or signs only. */
const MISSING = /^(?:|#?n\/?a|nan|nil|null|none|missing|[-+]?inf(?:inity)?|[-–—.?*]+)$/iu;

export const isMissing = (field: string): boolean => MISSING.test(field);
