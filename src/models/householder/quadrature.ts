/** Integrates the exponential of a function of one variable by the trapezoidal rule, with more nodes where it is large. */

/** Nodes are added around the largest one while it holds more than `share` of the integral. */
const ZOOM = { nodes: 6, share: 0.3, most: 12 };
/** Nodes around a peak, in units of its width, unless it is lower than the highest peak by `depth`. */
const PEAK = { around: [-2, -1, 1, 2], depth: 30 };

export class Quadrature {
  /** The nodes, in order; only the first `count` are used. */
  at = new Float64Array(64);
  /** The nodes' shares of the integral, once integrated. */
  shares = new Float64Array(64);
  count = 0;
  #logs = new Float64Array(64);
  #top = Number.NEGATIVE_INFINITY;

  /** `log`: the logarithm of the integrand. */
  constructor(readonly log: (a: number) => number) {}

  clear(): void {
    this.count = 0;
    this.#top = Number.NEGATIVE_INFINITY;
  }

  /** Adds a node; returns the logarithm of the integrand there. */
  add(a: number): number {
    const g = this.#position(a);
    if (g < this.count && this.at[g] === a) return this.#logs[g];
    if (this.count === this.at.length) this.#grow();
    this.at.copyWithin(g + 1, g, this.count);
    this.#logs.copyWithin(g + 1, g, this.count);
    const log = this.log(a);
    this.at[g] = a;
    this.#logs[g] = log;
    this.count++;
    if (log > this.#top) this.#top = log;
    return log;
  }

  /** Adds nodes about a peak of this width, unless there are some or it is too low to matter. */
  addPeak(a: number, width: number): void {
    const g = this.#position(a);
    if (g < this.count && this.at[g] - a < width) return;
    if (g > 0 && a - this.at[g - 1] < width) return;
    if (this.add(a) < this.#top - PEAK.depth) return;
    for (const t of PEAK.around) this.add(a + t * width);
  }

  /** The logarithm of the integral. */
  integrate(): number {
    for (let zoom = 0; ; zoom++) {
      const { at, count, shares } = this;
      let sum = 0;
      let largest = 0;
      for (let g = 0; g < count; g++) {
        const width = (at[Math.min(g + 1, count - 1)] - at[Math.max(g - 1, 0)]) / 2;
        shares[g] = width * Math.exp(this.#logs[g] - this.#top);
        sum += shares[g];
        if (shares[g] > shares[largest]) largest = g;
      }
      if (shares[largest] < ZOOM.share * sum || zoom === ZOOM.most) {
        for (let g = 0; g < count; g++) shares[g] /= sum;
        return this.#top + Math.log(sum);
      }
      const low = at[Math.max(largest - 1, 0)];
      const step = (at[Math.min(largest + 1, count - 1)] - low) / (ZOOM.nodes + 1);
      for (let g = 1; g <= ZOOM.nodes; g++) this.add(low + g * step);
    }
  }

  /** The a of least Σ shares (at − a)⁴, by Newton's method from a start. */
  centre(start: number): number {
    let a = start;
    for (let step = 0; step < 30; step++) {
      let square = 0;
      let cube = 0;
      for (let g = 0; g < this.count; g++) {
        const d = this.at[g] - a;
        square += this.shares[g] * d * d;
        cube += this.shares[g] * d * d * d;
      }
      const move = square > 0 ? cube / (3 * square) : 0;
      a += move;
      if (Math.abs(move) <= 1e-6 * Math.sqrt(square)) break;
    }
    return a;
  }

  /** Position of the first node not below a. */
  #position(a: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at[middle] < a) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const grown = (old: Float64Array) => {
      const next = new Float64Array(2 * old.length);
      next.set(old);
      return next;
    };
    [this.at, this.#logs, this.shares] = [grown(this.at), grown(this.#logs), grown(this.shares)];
  }
}
