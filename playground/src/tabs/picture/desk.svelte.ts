/** The state of the tab: its settings, the picture, the results, and the jobs. */
import type { Closeness, DenoiseTold } from '../../session/jobs/picture/denoise.ts';
import type { LearnEvent, LearnedPicture } from '../../session/jobs/picture/learn.ts';
import type { OpenedPicture } from '../../session/jobs/picture/open.ts';
import type { DenoisedName } from '../../session/jobs/picture/studio.ts';
import { Latest } from '../../session/latest.svelte.ts';
import { Work } from '../../session/session.svelte.ts';
import { readSettings, tabInAddress } from '../../settings.ts';
import type { PictureAtoms } from './gallery.ts';
import { codeCounts, DEFAULTS, INCLUDED, type IncludedName, type PictureSettings, RULES } from './settings.ts';

/** Sparsity of the codes after every step, relative to those of the DCT. */
export interface Course {
  readonly steps: readonly number[];
  readonly sparsity: readonly number[];
  readonly pca?: number | undefined;
}

const NO_COURSE: Course = { steps: [], sparsity: [] };

export class Desk {
  readonly settings: PictureSettings = $state(readSettings(location.hash, { ...DEFAULTS }, RULES));
  /** The user's own picture has a file name. */
  opened: (OpenedPicture & { readonly name: string; readonly isOwn: boolean }) | undefined = $state.raw();
  atoms: PictureAtoms | undefined = $state.raw();
  course: Course = $state.raw(NO_COURSE);
  learned: LearnedPicture | undefined = $state.raw();
  denoised: DenoiseTold | undefined = $state.raw();
  /** Finished denoised pictures, and how close they are, if known. */
  finished: Readonly<Partial<Record<DenoisedName, Closeness | 'unknown'>>> = $state.raw({});
  /** The atom whose use is shown. */
  chosen: number | undefined = $state();
  /** Why an included picture could not be fetched. */
  fetchError: string | undefined = $state();

  readonly opening = new Work('openPicture');
  readonly learning = new Work('learnPicture');
  readonly denoising = new Work('denoisePicture');
  readonly rebuilt = new Latest('rebuildPicture');
  readonly use = new Latest('whereUsed');
  readonly denoisedViews = new Latest('showDenoised');
  /** Counts requested pictures: the last one stays, however late another one is loaded. */
  #asked = 0;

  async openIncluded(name: IncludedName): Promise<void> {
    const number = ++this.#asked;
    this.settings.picture = name;
    const { url, title } = INCLUDED.find((each) => each.name === name)!;
    try {
      this.fetchError = undefined;
      const response = await fetch(url);
      if (!response.ok) throw new Error(response.statusText);
      const blob = await response.blob();
      if (number === this.#asked) await this.#open(blob, title, false);
    } catch {
      if (number !== this.#asked) return;
      this.fetchError = 'The picture could not be loaded. Check the connection, or choose one of your own.';
    }
  }

  /** Takes the settings of a link that was opened in this page. */
  follow(hash: string): void {
    if (tabInAddress(hash) !== 'picture') return;
    const wanted = readSettings(hash, { ...DEFAULTS }, RULES);
    const { picture, colour, side, norm, patches } = this.settings;
    const isSame =
      colour === wanted.colour && side === wanted.side && norm === wanted.norm && patches === wanted.patches;
    Object.assign(this.settings, wanted);
    if (picture !== wanted.picture) void this.openIncluded(wanted.picture);
    else if (!isSame) this.recolour();
  }

  openFile = (file: File): Promise<void> => {
    this.#asked++;
    this.fetchError = undefined;
    return this.#open(file, file.name, true);
  };

  async #open(blob: Blob, name: string, isOwn: boolean): Promise<void> {
    const opened = await this.opening.start({ blob });
    if (!opened) return;
    this.#forgetDenoised();
    this.opened = { ...opened, name, isOwn };
    await this.learn();
  }

  learn = async (): Promise<void> => {
    if (!this.opened) return;
    this.#forgetLearned();
    const { colour, side, norm, patches } = this.settings;
    const channels = colour === 'rgb' ? 3 : 1;
    const patch = { width: side, height: side, channels } as const;
    const learned = await this.learning.start({ colour, side, norm, patches }, (event) => this.#watch(event, patch));
    if (this.learning.state === 'failed') this.atoms = undefined;
    if (!learned) return;
    const { atoms, energies } = learned;
    this.atoms = { atoms, energies, patch, count: energies.length };
    this.learned = learned;
    this.settings.k = nearest(codeCounts(energies.length), this.settings.k);
  };

  #forgetLearned(): void {
    this.learned = undefined;
    this.chosen = undefined;
    this.course = NO_COURSE;
    this.rebuilt.clear();
    this.use.clear();
  }

  #watch({ atoms, sparsity, pcaSparsity }: LearnEvent, patch: PictureAtoms['patch']): void {
    if (pcaSparsity !== undefined) this.course = { ...this.course, pca: pcaSparsity };
    if (!atoms || sparsity === undefined) return;
    const { steps, sparsity: before } = this.course;
    this.course = { ...this.course, steps: [...steps, steps.length + 1], sparsity: [...before, sparsity] };
    // fewer than pixels, while flat patches say nothing about the rest
    this.atoms = { atoms, patch, count: atoms.length / (patch.width * patch.height * patch.channels) };
  }

  denoise = async (): Promise<void> => {
    if (!this.opened) return;
    const { colour, noise, sigma } = this.settings;
    this.#forgetDenoised();
    this.denoised = await this.denoising.start(
      { colour, ...(noise === 'added' && { sigma }) },
      ({ done, closeness = 'unknown' }) => {
        if (done) this.finished = { ...this.finished, [done]: closeness };
      },
    );
  };

  /** Switches between grey and colour, and starts anew. */
  recolour = (): void => {
    this.#forgetDenoised();
    void this.learn();
  };

  #forgetDenoised(): void {
    this.denoising.cancel();
    this.denoisedViews.clear();
    this.denoised = undefined;
    this.finished = {};
  }
}

const nearest = (counts: readonly number[], wanted: number): number =>
  counts.reduce((best, k) => (Math.abs(k - wanted) < Math.abs(best - wanted) ? k : best));
