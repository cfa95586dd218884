/** The jobs of the tab "picture". */
export const pictureJobs = {};
