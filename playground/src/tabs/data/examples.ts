/** Tables that come with the page. */
import digits from '../../../../data/digits.npz?url';
import sensors from '../../../data/sensors.csv?url';

export interface Example {
  readonly title: string;
  readonly name: string;
  readonly address: string;
  /** Name of the array of an .npz. */
  readonly array?: string;
  readonly about: string;
}

export const EXAMPLES: Readonly<Record<string, Example>> = {
  sensors: {
    title: 'Sensors',
    name: 'sensors.csv',
    address: sensors,
    about:
      'An invented table: 16 sensors of a building, each in units of its usual spread, hour by hour for 30 days. Sixteen kinds of events move four sensors each. Will they be found?',
  },
  digits: {
    title: 'Digits',
    name: 'digits.npz',
    address: digits,
    array: 'samples',
    about:
      'Handwritten digits, 8×8 pixels, one per row, by E. Alpaydin and C. Kaynak (UCI Machine Learning Repository, CC BY 4.0).',
  },
};

/** The files, each fetched once. */
const fetched = new Map<string, Promise<File>>();

export function exampleFile({ name, address }: Example): Promise<File> {
  const known = fetched.get(name);
  if (known) return known;
  const file = fetch(address).then(async (response) => {
    if (!response.ok) throw new Error(`${name} could not be loaded. Check the connection, then reload the page.`);
    return new File([await response.blob()], name);
  });
  file.catch(() => fetched.delete(name));
  fetched.set(name, file);
  return file;
}
