/** The exports of a second, small module, whose memory is given to it: rows that several threads turn where they are. */
export { turnPlanes } from './planes';
