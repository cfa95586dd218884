/** The state of the tab "Your data": its settings, the table, and the result. */
import type { LearnEvent, Learned, Step } from '../../session/jobs/data/messages.ts';
import type { Preview, TableRequest } from '../../session/jobs/data/table.ts';
import { Work } from '../../session/session.svelte.ts';
import { hashFor, readSettings, tabInAddress, writeHash } from '../../settings.ts';
import { results } from '../../take-home.svelte.ts';
import { type Chosen, chosenPicks, columnsIn, columnsText } from './columns.ts';
import { EXAMPLES, exampleFile } from './examples.ts';
import { DEFAULTS, learnOptions, RULES, type Settings } from './settings.ts';
import { takeHome } from './take-home.ts';

/** Settings that belong to one table. */
const WHOLE_TABLE = { array: '', columns: '', components: 0 };

export class DataTab {
  settings: Settings = $state(readSettings(location.hash, DEFAULTS, RULES));
  file: File | undefined = $state.raw();
  preview: Preview | undefined = $state.raw();
  isTableOpen = $state(false);
  learned: Learned | undefined = $state.raw();
  steps: readonly Step[] = $state.raw([]);
  /** The atoms during learning. */
  atoms: LearnEvent['atoms'] = $state.raw();
  /** Why an example could not be fetched. */
  failure: string | undefined = $state();

  readonly reading = new Work('dataPreview');
  readonly work = new Work('dataLearn');
  #reads = 0;

  readonly chosen: Chosen = $derived(this.preview ? columnsIn(this.settings.columns, this.preview.columns) : new Set());
  readonly features = $derived(this.preview?.hasColumns ? this.chosen.size : (this.preview?.columns.length ?? 0));
  /** The file that a link was made for, until the user provides it. */
  readonly wantedFile = $derived(this.settings.data === 'own' && !this.file ? this.settings.file : undefined);
  readonly hash = $derived(hashFor('data', this.settings, DEFAULTS));

  /** Opens the example that the address names; a link cannot hold a file of the user. */
  async open(): Promise<void> {
    const { data } = this.settings;
    if (data === 'own') return;
    try {
      const file = await exampleFile(EXAMPLES[data]);
      if (this.settings.data === data && (await this.#read(file))) await this.learn();
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  async useExample(name: string): Promise<void> {
    Object.assign(this.settings, { ...WHOLE_TABLE, data: name, file: '' });
    await this.open();
  }

  /** Opens a file of the user, with the settings of a link that was made for it. */
  async useFile(file: File): Promise<void> {
    const { data, file: known } = this.settings;
    const isExpected = data === 'own' && known === file.name;
    Object.assign(this.settings, { ...(!isExpected && WHOLE_TABLE), data: 'own', file: file.name });
    this.isTableOpen = await this.#read(file);
  }

  async useArray(array: string): Promise<void> {
    Object.assign(this.settings, { ...WHOLE_TABLE, array });
    if (this.file) this.isTableOpen = await this.#read(this.file);
  }

  #clear(file: File | undefined): void {
    this.work.reset();
    this.reading.reset();
    Object.assign(this, { file, preview: undefined, learned: undefined, failure: undefined });
    Object.assign(this, { steps: [], atoms: undefined, isTableOpen: false });
  }

  /** Reads a preview; false if that fails or another file has been read meanwhile. */
  async #read(file: File): Promise<boolean> {
    const number = ++this.#reads;
    this.#clear(file);
    const preview = await this.reading.start({ file, name: file.name, array: this.settings.array || undefined });
    if (number !== this.#reads) return false;
    this.preview = preview;
    return preview !== undefined;
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

  /** Follows a link to this tab: a link with settings changes them, one without keeps the tab unchanged. */
  follow(): void {
    const { hash } = location;
    if (tabInAddress(hash) !== 'data' || hash === this.hash) return;
    if (!hash.includes('?')) {
      writeHash(this.hash);
      return;
    }
    this.settings = readSettings(hash, DEFAULTS, RULES);
    if (this.settings.data === 'own' && this.settings.file !== this.file?.name) this.#clear(undefined);
    void this.open();
  }
}

/** Milliseconds without a change before the address is updated. */
const QUIET = 250;

/** Keeps the address in step with the settings while the tab is shown. Call it where effects may be created. */
export function followSettings(tab: DataTab): void {
  $effect(() => {
    const { hash } = tab;
    const timer = setTimeout(() => {
      if (tabInAddress(location.hash) === 'data') writeHash(hash);
    }, QUIET);
    return () => clearTimeout(timer);
  });
}
