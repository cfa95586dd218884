/** The jobs of the session by name. The page's types are derived from this table. */
import { dataJobs } from './data.ts';
import { pictureJobs } from './picture.ts';
import { recoverJobs } from './recover.ts';

export const jobs = { ...recoverJobs, ...pictureJobs, ...dataJobs };
