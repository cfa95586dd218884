/** What the tab "Your data" is about now: its settings, the table, and what was learned from it. */
import type { LearnEvent, Learned, Step } from '../../session/jobs/data/messages.ts';
import type { Preview, TableRequest } from '../../session/jobs/data/table.ts';
import { Work } from '../../session/session.svelte.ts';
import { hashFor, readSettings, tabInAddress, writeHash } from '../../settings.ts';
import { results } from '../../take-home.svelte.ts';
import { type Chosen, chosenPicks, columnsIn, columnsText } from './columns.ts';
import { EXAMPLES, exampleFile } from './examples.ts';
import { DEFAULTS, learnOptions, RULES, type Settings } from './settings.ts';
import { takeHome } from './take-home.ts';

export class DataTab {
  settings: Settings = $state(readSettings(location.hash, DEFAULTS, RULES));
  file: File | undefined = $state.raw();
  preview: Preview | undefined = $state.raw();
  isTableOpen = $state(false);
  learned: Learned | undefined = $state.raw();
  steps: readonly Step[] = $state.raw([]);
  /** While learning goes on. */
  atoms: LearnEvent['atoms'] = $state.raw();
  /** Why an example could not be fetched. */
  failure: string | undefined = $state();

  readonly reading = new Work('dataPreview');
  readonly work = new Work('dataLearn');

  readonly chosen: Chosen = $derived(this.preview ? columnsIn(this.settings.columns, this.preview.columns) : new Set());
  readonly features = $derived(this.preview?.hasColumns ? this.chosen.size : (this.preview?.columns.length ?? 0));
  /** The file that a link was made for, as long as it has not been dropped. */
  readonly wantedFile = $derived(this.settings.data === 'own' && !this.file ? this.settings.file : undefined);
  readonly hash = $derived(hashFor('data', this.settings, DEFAULTS));

  /** As the address says; without a file of the user's own, which no link can hold. */
  async open(): Promise<void> {
    if (this.settings.data === 'own') return;
    await this.#fetchExample(this.settings.data);
    if (this.preview) await this.learn();
  }

  async useExample(name: string): Promise<void> {
    Object.assign(this.settings, { data: name, file: '', array: '', columns: '', components: 0 });
    await this.open();
  }

  async #fetchExample(name: string): Promise<void> {
    this.failure = undefined;
    try {
      await this.#read(await exampleFile(EXAMPLES[name]));
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  /** A file of the user. It keeps the settings of a link that was made for it. */
  async useFile(file: File): Promise<void> {
    const { settings } = this;
    const isExpected = settings.data === 'own' && settings.file === file.name;
    Object.assign(settings, {
      data: 'own',
      file: file.name,
      ...(!isExpected && { array: '', columns: '', components: 0 }),
    });
    this.failure = undefined;
    await this.#read(file);
    this.isTableOpen = this.preview !== undefined;
  }

  async useArray(array: string): Promise<void> {
    Object.assign(this.settings, { array, columns: '', components: 0 });
    if (this.file) await this.#read(this.file);
  }

  async #read(file: File): Promise<void> {
    this.work.cancel();
    Object.assign(this, {
      file,
      preview: undefined,
      learned: undefined,
      steps: [],
      atoms: undefined,
      isTableOpen: false,
    });
    this.preview = await this.reading.start({ file, name: file.name, array: this.settings.array || undefined });
  }

  choose(chosen: Chosen): void {
    if (this.preview) this.settings.columns = columnsText(chosen, this.preview.columns);
  }

  #request(preview: Preview, file: File): TableRequest {
    const { array, missing } = this.settings;
    const columns = preview.hasColumns ? chosenPicks(this.chosen, preview.columns) : undefined;
    return {
      file,
      name: file.name,
      array: array || preview.array,
      columns,
      ...(preview.hasColumns && missing !== 'error' && { missing: missing as 'drop' | 'mean' }),
    };
  }

  async learn(): Promise<void> {
    const { preview, file } = this;
    if (!preview || !file) return;
    const settings = $state.snapshot(this.settings);
    if (settings.components >= this.features) settings.components = 0;
    const request = this.#request(preview, file);
    const table = { file, preview, chosen: this.chosen, array: request.array, missing: request.missing };
    Object.assign(this, { steps: [], atoms: undefined, isTableOpen: false });
    const learned = await this.work.start({ ...request, options: learnOptions(settings) }, (event) => {
      if (event.steps) this.steps = [...this.steps, ...event.steps];
      if (event.atoms) this.atoms = event.atoms;
    });
    if (!learned) return;
    this.learned = learned;
    results.data = takeHome({ learned, settings, table });
  }

  /** Follows a link to this tab that has settings. */
  follow(): void {
    const { hash } = location;
    if (tabInAddress(hash) !== 'data' || !hash.includes('?') || hash === this.hash) return;
    this.settings = readSettings(hash, DEFAULTS, RULES);
    if (this.settings.data === 'own' && this.settings.file !== this.file?.name) this.file = undefined;
    void this.open();
  }
}

/** Milliseconds without a change before the address follows. */
const QUIET = 250;

/** Keeps the address as the settings are, while the tab is shown. Call it where effects may be made. */
export function followSettings(tab: DataTab): void {
  $effect(() => {
    const { hash } = tab;
    const timer = setTimeout(() => {
      if (tabInAddress(location.hash) === 'data') writeHash(hash);
    }, QUIET);
    return () => clearTimeout(timer);
  });
}
