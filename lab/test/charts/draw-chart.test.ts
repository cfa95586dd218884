/** Charts are drawn without a browser, completely or not at all. */
import { existsSync, readFileSync } from 'node:fs';
import { InputError } from 'orthodict';
import { checkChart, renderChart } from 'orthodict/node';
import { describe, expect, it } from 'vitest';
import { leftoverFiles, scratchDirectory } from '../../../test/helpers/scratch.ts';

const scratch = scratchDirectory();
const spec = {
  data: { values: [1, 2, 3].map((x) => ({ x, name: `bar <${x}>` })) },
  mark: 'bar',
  encoding: { x: { field: 'x', type: 'quantitative' }, y: { field: 'name', type: 'nominal' } },
};

describe('renderChart', () => {
  it('writes an SVG with the marks and well-formed text', async () => {
    const path = scratch.file('chart.svg');
    await renderChart(spec, path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg.trimEnd().endsWith('</svg>')).toBe(true);
    expect(svg.match(/aria-roledescription="bar"/g)).toHaveLength(3);
    expect(svg).toContain('bar &lt;2&gt;');
  });

  it('shows control characters in names as escapes, which an SVG can hold', async () => {
    const path = scratch.file('escapes.svg');
    await renderChart({ ...spec, data: { values: [{ x: 1, name: 'w\u001b[31m\u009b\u202e' }] } }, path);
    const svg = readFileSync(path, 'utf8');
    expect(svg).toContain('w\\u001b[31m\\u009b\\u202e');
    expect(svg).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('writes a PNG', async () => {
    const path = scratch.file('chart.png');
    await checkChart(path);
    await renderChart(spec, path);
    const bytes = readFileSync(path);
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(200); // width
  });

  it('refuses other formats and leaves nothing behind when it fails', async () => {
    await expect(renderChart(spec, scratch.file('chart.pdf'))).rejects.toThrow(InputError);
    await expect(renderChart({ mark: 'nonsense' }, scratch.file('bad.svg'))).rejects.toThrow();
    expect(existsSync(scratch.file('bad.svg'))).toBe(false);
    expect(leftoverFiles(scratch.path, /bad|tmp/)).toEqual([]);
  });
});
