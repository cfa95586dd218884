/** Bundles a small page like a user who has just installed the package, without configuration. Not minified, which is slow. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { build } from 'vite';
import webpack from 'webpack';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A page that tests call. */
const TEST_APP = join(root, 'test/browser/app');

export const bundlers = ['vite', 'webpack', 'esbuild'] as const;
type Bundler = (typeof bundlers)[number];

/** Bundles the page into a new folder inside `folder`, and returns it; `app` has its index.html and main.js. */
export async function bundle(bundler: Bundler, folder: string, app = TEST_APP): Promise<string> {
  const [project, out] = [join(folder, bundler), join(folder, bundler, 'out')];
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  symlinkSync(root, join(project, 'node_modules/orthodict'), 'dir');
  cpSync(app, project, { recursive: true });
  await make[bundler](project, out);
  if (bundler !== 'vite') cpSync(join(app, 'index.html'), join(out, 'index.html'));
  return out;
}

const make: Readonly<Record<Bundler, (project: string, out: string) => Promise<unknown>>> = {
  vite: (project, out) =>
    build({ root: project, configFile: false, logLevel: 'error', build: { outDir: out, minify: false } }),
  webpack: (project, out) =>
    new Promise((resolve, reject) => {
      const settings = {
        entry: './main.js',
        output: { path: out },
        optimization: { minimize: false },
        performance: false,
      } as const;
      webpack({ mode: 'production', context: project, ...settings }, (error, stats) => {
        const said = stats?.toString({ all: false, errors: true, warnings: true });
        if (error || said) reject(error ?? new Error(said));
        else resolve(stats);
      });
    }),
  esbuild: (project, out) =>
    esbuild.build({
      entryPoints: [join(project, 'main.js')],
      bundle: true,
      format: 'esm',
      outdir: out,
      logLevel: 'error',
    }),
};
