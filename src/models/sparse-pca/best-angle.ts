/**
 * The best rotation of two rows x, y for sparse principal components, found exactly:
 *
 *     maximise f(φ) = Σ_k [|c x_k + s y_k| − γ_x]₊² + [|c y_k − s x_k| − γ_y]₊²      c = cos φ, s = sin φ, φ in [−π/2, π/2)
 *
 * A row outside the objective has γ = ∞. With (p, q) = ±(x_k, y_k) or ±(y_k, −x_k) every summand is [p c + q s − γ]₊²,
 * non-zero on one arc around atan2(q, p), of half-width acos(γ/hypot(p, q)). Between the ends of arcs, f is
 *
 *     C0 + C2 cos 2φ + S2 sin 2φ − C1 cos φ − S1 sin φ        |f″| ≤ 4 ‖(C2, S2)‖ + ‖(C1, S1)‖,  |f‴| ≤ 8 ‖·‖ + ‖·‖
 *
 * with sums that change by one summand at each end. Only the k entries whose hypot(x, y) exceeds γ matter; a bucket
 * sort of their ends costs O(k). An interval is skipped if these bounds rule out a better value than the best so far;
 * otherwise it is halved until f is monotone, convex (the maximum is at an end) or concave (Newton's method) in it. So
 * the angle is the global maximum up to rounding.
 */
const QUARTER = Math.PI / 2;
/** Gains below this share of f are rounding. */
const ROUNDING = 1e-14;
const MAX_HALVINGS = 40;

export interface PairTurn {
  /** The best angle; 0 if no rotation helps. */
  readonly angle: number;
  readonly gain: number;
  /** f′(0) */
  readonly slope: number;
}

export type PairSearch = (
  data: Float64Array,
  x: number,
  y: number,
  length: number,
  gammaX: number,
  gammaY: number,
  /** Largest angle to try; default: π/2, which covers all. */
  reach?: number,
) => PairTurn;

/**
 * Creates a search with its own buffers, which grow as needed. The rows are `length` numbers of `data` starting at `x` and at `y`.
 */
export function pairSearch(): PairSearch {
  let room = 0;
  let angles = new Float64Array(0);
  let events = new Float64Array(0); // p, q, γ and +1 (begins) or −1 (ends), four numbers an event
  let order = new Uint32Array(0);
  let buckets = new Uint32Array(0);
  let count = 0;
  let [C0, C1, S1, C2, S2] = [0, 0, 0, 0, 0];
  let [bestAngle, bestValue] = [0, 0];

  const reserve = (length: number) => {
    if (length <= room) return;
    room = length;
    angles = new Float64Array(4 * room);
    events = new Float64Array(16 * room);
    order = new Uint32Array(4 * room);
    buckets = new Uint32Array(4 * room + 1);
  };
  const change = (p: number, q: number, gamma: number, sign: number) => {
    C0 += sign * ((p * p + q * q) / 2 + gamma * gamma);
    C2 += (sign * (p * p - q * q)) / 2;
    S2 += sign * p * q;
    C1 += sign * 2 * gamma * p;
    S1 += sign * 2 * gamma * q;
  };
  const event = (angle: number, p: number, q: number, gamma: number, sign: number) => {
    angles[count] = angle;
    const at = 4 * count++;
    events[at] = p;
    events[at + 1] = q;
    events[at + 2] = gamma;
    events[at + 3] = sign;
  };
  /** The arc of [p c + q s − γ]₊² and its mirror [−p c − q s − γ]₊², cut at ±π/2. */
  const addArc = (p: number, q: number, radius: number, gamma: number) => {
    if (p < 0) return addArc(-p, -q, radius, gamma);
    const centre = Math.atan2(q, p);
    const width = Math.acos(gamma / radius);
    const [begin, end] = [centre - width, centre + width];
    if (begin <= -QUARTER) {
      change(p, q, gamma, 1);
      event(begin + Math.PI, -p, -q, gamma, 1);
    } else event(begin, p, q, gamma, 1);
    if (end >= QUARTER) {
      change(-p, -q, gamma, 1);
      event(end - Math.PI, -p, -q, gamma, -1);
    } else event(end, p, q, gamma, -1);
  };

  /** Sorts the events by angle: one bucket per event, then insertion sort within buckets. */
  const sortEvents = () => {
    const bucketOf = (e: number) => Math.min(count - 1, Math.max(0, ((angles[e] + QUARTER) * (count / Math.PI)) | 0));
    buckets.fill(0, 0, count + 1);
    for (let e = 0; e < count; e++) buckets[bucketOf(e) + 1]++;
    for (let b = 0; b < count; b++) buckets[b + 1] += buckets[b];
    for (let e = 0; e < count; e++) order[buckets[bucketOf(e)]++] = e;
    for (let i = 1; i < count; i++) {
      const moving = order[i];
      let at = i;
      for (; at > 0 && angles[order[at - 1]] > angles[moving]; at--) order[at] = order[at - 1];
      order[at] = moving;
    }
  };

  const value = (c: number, s: number) => C0 + C2 * (c * c - s * s) + 2 * S2 * s * c - C1 * c - S1 * s;
  const slope = (c: number, s: number) => 2 * (S2 * (c * c - s * s) - 2 * C2 * s * c) + C1 * s - S1 * c;
  const bend = (c: number, s: number) => -4 * (C2 * (c * c - s * s) + 2 * S2 * s * c) + C1 * c + S1 * s;
  const consider = (angle: number) => {
    const found = value(Math.cos(angle), Math.sin(angle));
    if (found > bestValue) [bestValue, bestAngle] = [found, angle];
  };
  /** The zero of f′ where f is concave. */
  const newton = (left: number, right: number) => {
    let [low, high, angle] = [left, right, (left + right) / 2];
    for (let step = 0; step < 60 && high - low > 1e-16; step++) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const f1 = slope(c, s);
      if (f1 > 0) low = angle;
      else high = angle;
      const next = angle - f1 / bend(c, s);
      if (Math.abs(next - angle) < 1e-16) break;
      angle = next > low && next < high ? next : (low + high) / 2;
    }
    consider(angle);
  };
  const search = (left: number, right: number, bend2: number, bend3: number, halvings: number): void => {
    const [middle, half] = [(left + right) / 2, (right - left) / 2];
    const [c, s] = [Math.cos(middle), Math.sin(middle)];
    const f0 = value(c, s);
    const f1 = slope(c, s);
    if (f0 + Math.abs(f1) * half + (bend2 * half * half) / 2 <= bestValue * (1 + ROUNDING)) return;
    if (f0 > bestValue) [bestValue, bestAngle] = [f0, middle];
    const size = Math.abs(C0) + Math.hypot(C2, S2) + Math.hypot(C1, S1);
    if (Math.abs(f1) * half + (bend2 * half * half) / 2 <= Number.EPSILON * size) return; // rounding of f itself
    const f2 = bend(c, s);
    const monotone = Math.abs(f1) > (Math.abs(f2) + bend3 * half) * half;
    if (monotone || f2 - bend3 * half > 0 || halvings === MAX_HALVINGS) {
      consider(left);
      consider(right);
    } else if (f2 + bend3 * half < 0) {
      consider(left);
      consider(right);
      newton(left, right);
    } else {
      search(left, middle, bend2, bend3, halvings + 1);
      search(middle, right, bend2, bend3, halvings + 1);
    }
  };

  return (data, x, y, length, gammaX, gammaY, reach = QUARTER) => {
    reserve(length);
    count = 0;
    C0 = C1 = S1 = C2 = S2 = 0;
    const least = Math.min(gammaX, gammaY) ** 2;
    let [before, steepness] = [0, 0];
    for (let k = 0; k < length; k++) {
      const [u, v] = [data[x + k], data[y + k]];
      const square = u * u + v * v;
      if (!(square > least)) continue;
      const radius = Math.sqrt(square);
      if (radius > gammaX) addArc(u, v, radius, gammaX);
      if (radius > gammaY) addArc(v, -u, radius, gammaY);
      const overX = Math.abs(u) - gammaX;
      const overY = Math.abs(v) - gammaY;
      if (overX > 0) {
        before += overX * overX;
        steepness += 2 * overX * Math.sign(u) * v;
      }
      if (overY > 0) {
        before += overY * overY;
        steepness -= 2 * overY * Math.sign(v) * u;
      }
    }
    if (count === 0) return { angle: 0, gain: 0, slope: 0 };
    [bestAngle, bestValue] = [0, before];
    sortEvents();
    let left = -reach;
    for (let e = 0; e <= count; e++) {
      const right = e < count ? Math.min(angles[order[e]], reach) : reach;
      if (right > left) {
        const [two, one] = [Math.hypot(C2, S2), Math.hypot(C1, S1)];
        if (C0 + two + one > bestValue) search(left, right, 4 * two + one, 8 * two + one, 0);
        left = right;
      }
      if (e < count) {
        const at = 4 * order[e];
        change(events[at], events[at + 1], events[at + 2], events[at + 3]);
      }
    }
    const gain = pairValue(data, x, y, length, gammaX, gammaY, bestAngle) - before;
    return gain > ROUNDING * before
      ? { angle: bestAngle, gain, slope: steepness }
      : { angle: 0, gain: 0, slope: steepness };
  };
}

/** f(φ), summed entry by entry. */
export function pairValue(
  data: Float64Array,
  x: number,
  y: number,
  length: number,
  gammaX: number,
  gammaY: number,
  angle: number,
): number {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  let sum = 0;
  for (let k = 0; k < length; k++) {
    const overX = Math.abs(c * data[x + k] + s * data[y + k]) - gammaX;
    const overY = Math.abs(c * data[y + k] - s * data[x + k]) - gammaY;
    if (overX > 0) sum += overX * overX;
    if (overY > 0) sum += overY * overY;
  }
  return sum;
}
