/** The exports of a second, small module, whose memory is given to it: rows that several threads turn where they are. */
import { turnPlanes } from './planes';

export function turnPlanes_f32(
  headers: usize, rows: usize, distance: usize, bytes: usize, turns: i32, planes: i32, cubic: bool,
): void {
  turnPlanes<f32>(headers, rows, distance, bytes, turns, planes, cubic);
}
export function turnPlanes_f64(
  headers: usize, rows: usize, distance: usize, bytes: usize, turns: i32, planes: i32, cubic: bool,
): void {
  turnPlanes<f64>(headers, rows, distance, bytes, turns, planes, cubic);
}
