/** The exports of a second, small module, whose memory is given to it: rows that several threads rotate in place. */
import { rotatePlanes } from './planes';

export function rotatePlanes_f32(
  headers: usize, rows: usize, distance: usize, bytes: usize, rotations: i32, planes: i32, cubic: bool,
): void {
  rotatePlanes<f32>(headers, rows, distance, bytes, rotations, planes, cubic);
}
export function rotatePlanes_f64(
  headers: usize, rows: usize, distance: usize, bytes: usize, rotations: i32, planes: i32, cubic: bool,
): void {
  rotatePlanes<f64>(headers, rows, distance, bytes, rotations, planes, cubic);
}
