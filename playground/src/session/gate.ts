/** Makes a job wait while it is paused: between its steps if it has any, otherwise before its next pass over the data. */
export class Gate {
  #isOpen = true;
  #stepsAllowed = 0;
  #takesSteps = false;
  #waiting: (() => void)[] = [];

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#wake());
  }

  pause(): void {
    this.#isOpen = false;
  }

  resume(): void {
    this.#isOpen = true;
    this.#wake();
  }

  /** Allows one more step. */
  step(): void {
    this.#isOpen = false;
    this.#stepsAllowed++;
    this.#wake();
  }

  /** Waits before a step; jobs with steps call it. */
  async turn(): Promise<void> {
    this.#takesSteps = true;
    await this.#until(() => this.#isOpen || this.#stepsAllowed > 0);
    if (!this.#isOpen) this.#stepsAllowed--;
  }

  /** Waits before a pass over the data. */
  async pass(): Promise<void> {
    if (!this.#takesSteps) await this.#until(() => this.#isOpen);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.signal.aborted) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.signal.throwIfAborted();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
