/** Σ x⁴ over `count` float64 numbers. */
export function fourthPowers(at: usize, count: i32): f64 {
  let first = f64x2.splat(0);
  let second = f64x2.splat(0);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const x = v128.load(at + <usize>i * 8);
    const y = v128.load(at + <usize>i * 8, 16);
    const xx = f64x2.mul(x, x);
    const yy = f64x2.mul(y, y);
    first = f64x2.add(first, f64x2.mul(xx, xx));
    second = f64x2.add(second, f64x2.mul(yy, yy));
  }
  const both = f64x2.add(first, second);
  let sum = f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1);
  for (; i < count; i++) {
    const x = load<f64>(at + <usize>i * 8);
    sum += x * x * (x * x);
  }
  return sum;
}
