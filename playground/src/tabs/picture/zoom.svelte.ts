/** The region that several pictures show together: the whole, or a magnified part. */

/** Pixels of the picture across a magnified region. */
const REGION = 64;
/** Step of an arrow key, as a share of the region. */
const STEP = 1 / 8;
const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface Region {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export class Zoom {
  /** Centre of the region, as shares of width and height; undefined if the whole picture is shown. */
  centre: readonly [number, number] | undefined = $state.raw();
  /** Whether the region stays where it is when the pointer moves. */
  isHeld = $state(false);

  point(x: number, y: number): void {
    if (!this.isHeld) this.centre = [x, y];
  }

  leave(): void {
    if (!this.isHeld) this.centre = undefined;
  }

  /** Holds a place, or releases it. */
  toggle(x: number, y: number): void {
    this.isHeld = !this.isHeld;
    this.centre = this.isHeld ? [x, y] : undefined;
  }

  clear(): void {
    this.isHeld = false;
    this.centre = undefined;
  }

  /** Handles a key; returns whether it had an effect. */
  key(name: string, width: number, height: number): boolean {
    if (name === 'Escape') this.clear();
    const way = WAYS[name];
    if (!way) return name === 'Escape';
    const { width: w, height: h } = this.region(width, height);
    const [x, y] = this.centre ?? [0.5, 0.5];
    const within = (value: number) => Math.min(1, Math.max(0, value));
    const step = this.centre ? STEP : 0;
    this.centre = [within(x + (step * way[0] * w) / width), within(y + (step * way[1] * h) / height)];
    this.isHeld = true;
    return true;
  }

  /** The region in pixels of a picture of this size. */
  region(width: number, height: number): Region {
    if (!this.centre) return { left: 0, top: 0, width, height };
    const scale = Math.min(1, REGION / width);
    const [w, h] = [width * scale, height * scale];
    const place = (share: number, all: number, part: number) =>
      Math.min(Math.max(share * all - part / 2, 0), all - part);
    return { left: place(this.centre[0], width, w), top: place(this.centre[1], height, h), width: w, height: h };
  }
}
