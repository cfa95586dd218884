/** The jobs of the tab "data". */
export const dataJobs = {};
