/** Sizes of codes: how many exceed their thresholds, and the sums of their powers. */
import type { MeasureRequest, Measures } from '../kernels.ts';
import { PackedAtoms } from './atoms.ts';
import { PANEL_BYTES, panelsFor, panelWidth, SampleBlocks } from './blocks.ts';
import type { Machine } from './module.ts';

export function measure(machine: Machine, request: MeasureRequest): Measures {
  const { samples, atoms, conditioning, leastNorm = 0, precision } = request;
  const wishes = { rowPanels: true, norms: { least: leastNorm } };
  const blocks = new SampleBlocks(machine, samples, conditioning, precision, wishes);
  const packed = new PackedAtoms(machine, blocks, atoms, false);
  const measured = new Measured(machine, blocks, request, PANEL_BYTES);
  blocks.forEach((rows) => {
    packed.forEachGroup(rows, false, (first, count) => {
      packed.forEachPanel(count, (panel, i) => measured.add(panel, rows, first + i));
    });
  });
  return measured.read();
}

/** Sums over strips of codes in the machine's memory. */
export class Measured {
  readonly #thresholds: number;
  readonly #kept: number;
  readonly #powers: number;

  /** Prepares the sums. `stride`: bytes from one sample's codes to the next. */
  constructor(
    readonly machine: Machine,
    readonly blocks: SampleBlocks,
    readonly request: MeasureRequest,
    readonly stride: number,
  ) {
    const { precision } = blocks;
    const padded = new Float64Array(panelsFor(request.atoms.rows, precision) * panelWidth(precision));
    padded.set(request.thresholds);
    this.#thresholds = machine.arena.put(padded, precision);
    this.#kept = machine.arena.takeZeros(padded.length * 8);
    this.#powers = machine.arena.takeZeros(padded.length * 8);
  }

  /** Adds a strip of codes; `atom` is its first atom. */
  add(strip: number, rows: number, atom: number): void {
    const { arithmetic, norms, precision } = this.blocks;
    const { norm, meanNorm } = this.request;
    const thresholds = this.#thresholds + (atom / panelWidth(precision)) * PANEL_BYTES;
    const odd = norm % 2 === 1;
    const [kept, powers] = [this.#kept + atom * 8, this.#powers + atom * 8];
    arithmetic.measure(strip, this.stride, rows, thresholds, norms, meanNorm, odd, norm >> 1, kept, powers);
  }

  read(): Measures {
    const { arena } = this.machine;
    const { rows } = this.request.atoms;
    return { kept: arena.copy64(this.#kept, rows), powers: arena.copy64(this.#powers, rows) };
  }
}
