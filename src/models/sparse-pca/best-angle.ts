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

/** The best rotation of two rows. */
export interface PairTurn {
  /** The best angle; 0 if no rotation helps. */
  readonly angle: number;
  readonly gain: number;
  /** f′(0) */
  readonly slope: number;
}

/** Rows of a matrix to turn: `length` numbers of `data` from x and from y on, and the thresholds of both. */
interface Rows {
  readonly data: Float64Array;
  readonly x: number;
  readonly y: number;
  readonly length: number;
  readonly gammaX: number;
  readonly gammaY: number;
}

/** A search with buffers of its own, which grow as needed. */
export class PairSearch {
  #room = 0;
  #angles = new Float64Array(0);
  /** p, q, γ and +1 (begins) or −1 (ends), four numbers an event. */
  #events = new Float64Array(0);
  #order = new Uint32Array(0);
  #buckets = new Uint32Array(0);
  #count = 0;
  /** The sums of the summands that are not zero between two events. */
  #C0 = 0;
  #C1 = 0;
  #S1 = 0;
  #C2 = 0;
  #S2 = 0;
  #bestAngle = 0;
  #bestValue = 0;

  /** Finds the best rotation. `reach`: the largest angle to try; default: π/2, which covers all. */
  best(
    data: Float64Array,
    x: number,
    y: number,
    length: number,
    gammaX: number,
    gammaY: number,
    reach = QUARTER,
  ): PairTurn {
    const rows = { data, x, y, length, gammaX, gammaY };
    const { value: before, slope } = this.#gather(rows);
    if (this.#count === 0) return { angle: 0, gain: 0, slope: 0 };
    [this.#bestAngle, this.#bestValue] = [0, before];
    this.#sortEvents();
    this.#searchBetweenEvents(reach);
    const gain = pairValue(data, x, y, length, gammaX, gammaY, this.#bestAngle) - before;
    return gain > ROUNDING * before ? { angle: this.#bestAngle, gain, slope } : { angle: 0, gain: 0, slope };
  }

  /** Collects the events of all entries that matter, and the sums at −π/2; returns f(0) and f′(0). */
  #gather({ data, x, y, length, gammaX, gammaY }: Rows): { value: number; slope: number } {
    this.#reserve(length);
    this.#count = 0;
    this.#C0 = this.#C1 = this.#S1 = this.#C2 = this.#S2 = 0;
    const least = Math.min(gammaX, gammaY) ** 2;
    let [value, slope] = [0, 0];
    for (let k = 0; k < length; k++) {
      const u = data[x + k];
      const v = data[y + k];
      const square = u * u + v * v;
      if (!(square > least)) continue;
      const radius = Math.sqrt(square);
      if (radius > gammaX) this.#addArc(u, v, radius, gammaX);
      if (radius > gammaY) this.#addArc(v, -u, radius, gammaY);
      const overX = Math.abs(u) - gammaX;
      const overY = Math.abs(v) - gammaY;
      if (overX > 0) {
        value += overX * overX;
        slope += 2 * overX * Math.sign(u) * v;
      }
      if (overY > 0) {
        value += overY * overY;
        slope -= 2 * overY * Math.sign(v) * u;
      }
    }
    return { value, slope };
  }

  #reserve(length: number): void {
    if (length <= this.#room) return;
    this.#room = length;
    this.#angles = new Float64Array(4 * length);
    this.#events = new Float64Array(16 * length);
    this.#order = new Uint32Array(4 * length);
    this.#buckets = new Uint32Array(4 * length + 1);
  }

  /** The arc of [p c + q s − γ]₊² and its mirror [−p c − q s − γ]₊², cut at ±π/2. */
  #addArc(p: number, q: number, radius: number, gamma: number): void {
    if (p < 0) {
      this.#addArc(-p, -q, radius, gamma);
      return;
    }
    const centre = Math.atan2(q, p);
    const width = Math.acos(gamma / radius);
    const begin = centre - width;
    const end = centre + width;
    if (begin <= -QUARTER) {
      this.#change(p, q, gamma, 1);
      this.#event(begin + Math.PI, -p, -q, gamma, 1);
    } else this.#event(begin, p, q, gamma, 1);
    if (end >= QUARTER) {
      this.#change(-p, -q, gamma, 1);
      this.#event(end - Math.PI, -p, -q, gamma, -1);
    } else this.#event(end, p, q, gamma, -1);
  }

  /** Adds a summand to the sums, or takes it away. */
  #change(p: number, q: number, gamma: number, sign: number): void {
    this.#C0 += sign * ((p * p + q * q) / 2 + gamma * gamma);
    this.#C2 += (sign * (p * p - q * q)) / 2;
    this.#S2 += sign * p * q;
    this.#C1 += sign * 2 * gamma * p;
    this.#S1 += sign * 2 * gamma * q;
  }

  #event(angle: number, p: number, q: number, gamma: number, sign: number): void {
    const events = this.#events;
    this.#angles[this.#count] = angle;
    const at = 4 * this.#count++;
    events[at] = p;
    events[at + 1] = q;
    events[at + 2] = gamma;
    events[at + 3] = sign;
  }

  /** Sorts the events by angle: one bucket per event, then insertion sort within buckets. */
  #sortEvents(): void {
    const [angles, order, buckets, count] = [this.#angles, this.#order, this.#buckets, this.#count];
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
  }

  #searchBetweenEvents(reach: number): void {
    const [angles, order, events, count] = [this.#angles, this.#order, this.#events, this.#count];
    let left = -reach;
    for (let e = 0; e <= count; e++) {
      const right = e < count ? Math.min(angles[order[e]], reach) : reach;
      if (right > left) {
        const two = Math.hypot(this.#C2, this.#S2);
        const one = Math.hypot(this.#C1, this.#S1);
        if (this.#C0 + two + one > this.#bestValue) this.#search(left, right, 4 * two + one, 8 * two + one, 0);
        left = right;
      }
      if (e < count) {
        const at = 4 * order[e];
        this.#change(events[at], events[at + 1], events[at + 2], events[at + 3]);
      }
    }
  }

  /** Looks for a better value in an interval where |f″| ≤ bend2 and |f‴| ≤ bend3. */
  #search(left: number, right: number, bend2: number, bend3: number, halvings: number): void {
    const middle = (left + right) / 2;
    const half = (right - left) / 2;
    const c = Math.cos(middle);
    const s = Math.sin(middle);
    const f0 = this.#value(c, s);
    const f1 = this.#slope(c, s);
    if (f0 + Math.abs(f1) * half + (bend2 * half * half) / 2 <= this.#bestValue * (1 + ROUNDING)) return;
    if (f0 > this.#bestValue) [this.#bestValue, this.#bestAngle] = [f0, middle];
    const size = Math.abs(this.#C0) + Math.hypot(this.#C2, this.#S2) + Math.hypot(this.#C1, this.#S1);
    if (Math.abs(f1) * half + (bend2 * half * half) / 2 <= Number.EPSILON * size) return; // rounding of f itself
    const f2 = this.#bend(c, s);
    const monotone = Math.abs(f1) > (Math.abs(f2) + bend3 * half) * half;
    if (monotone || f2 - bend3 * half > 0 || halvings === MAX_HALVINGS) {
      this.#consider(left);
      this.#consider(right);
    } else if (f2 + bend3 * half < 0) {
      this.#consider(left);
      this.#consider(right);
      this.#newton(left, right);
    } else {
      this.#search(left, middle, bend2, bend3, halvings + 1);
      this.#search(middle, right, bend2, bend3, halvings + 1);
    }
  }

  /** The zero of f′ where f is concave. */
  #newton(left: number, right: number): void {
    let [low, high, angle] = [left, right, (left + right) / 2];
    for (let step = 0; step < 60 && high - low > 1e-16; step++) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const f1 = this.#slope(c, s);
      if (f1 > 0) low = angle;
      else high = angle;
      const next = angle - f1 / this.#bend(c, s);
      if (Math.abs(next - angle) < 1e-16) break;
      angle = next > low && next < high ? next : (low + high) / 2;
    }
    this.#consider(angle);
  }

  #consider(angle: number): void {
    const found = this.#value(Math.cos(angle), Math.sin(angle));
    if (found > this.#bestValue) [this.#bestValue, this.#bestAngle] = [found, angle];
  }

  #value(c: number, s: number): number {
    return this.#C0 + this.#C2 * (c * c - s * s) + 2 * this.#S2 * s * c - this.#C1 * c - this.#S1 * s;
  }

  #slope(c: number, s: number): number {
    return 2 * (this.#S2 * (c * c - s * s) - 2 * this.#C2 * s * c) + this.#C1 * s - this.#S1 * c;
  }

  #bend(c: number, s: number): number {
    return -4 * (this.#C2 * (c * c - s * s) + 2 * this.#S2 * s * c) + this.#C1 * c + this.#S1 * s;
  }
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
