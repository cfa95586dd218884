/** The jobs of the session by name. The page's types are derived from this table. */
export const jobs = {};
