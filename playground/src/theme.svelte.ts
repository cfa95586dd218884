/** The theme, light or dark: that of the system, until the user chooses. */
export type Theme = 'light' | 'dark';

const KEY = 'orthodict theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** Browsers may forbid storage; the choice then lasts as long as the page. */
function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}

class ThemeChoice {
  #chosen: Theme | undefined = $state(stored());
  #system: Theme = $state(system.matches ? 'dark' : 'light');
  readonly current: Theme = $derived(this.#chosen ?? this.#system);

  constructor() {
    system.addEventListener('change', ({ matches }) => {
      this.#system = matches ? 'dark' : 'light';
    });
  }

  toggle(): void {
    this.#chosen = this.current === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, this.#chosen);
    } catch {
      // see stored()
    }
  }
}

export const theme = new ThemeChoice();

/** The value of a colour of styles.css now, for canvases. Read it where `theme.current` is read, so that it changes with the theme. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
