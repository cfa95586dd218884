/** The files of examples/cluster: they parse, fit together, and every command in them has the flags it uses. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { commands } from '#src/cli/commands/index.ts';

const folder = fileURLToPath(new URL('../../examples/cluster/', import.meta.url));
const read = (name: string): string => readFileSync(folder + name, 'utf8');

interface Container {
  readonly args: readonly string[];
  readonly volumeMounts?: readonly { name: string }[];
}
interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly { name: string }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector?: { readonly matchLabels: Record<string, string> };
    readonly template?: { readonly metadata: { labels: Record<string, string> }; readonly spec: PodSpec };
  };
}
interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Record<string, unknown>;
}

/** Throws unless `orthodict args…` is a command with these flags, those that it requires among them. */
async function requireCommand([name, ...args]: readonly string[]): Promise<void> {
  expect(Object.keys(commands)).toContain(name);
  const command = await commands[name].load();
  const given = args.filter((word) => word.startsWith('--'));
  for (const flag of given)
    expect(
      command.options.map(({ long }) => long),
      `${name} ${flag}`,
    ).toContain(flag);
  for (const { long, mandatory } of command.options) if (mandatory) expect(given, name).toContain(long);
  const values = given.filter((flag) => command.options.find(({ long }) => long === flag)!.required).length;
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  expect(args.length - given.length - values, `arguments of ${name}`).toBe(needed);
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  it('runs commands that exist', async () => {
    const ours = Object.values(services).filter(({ build }) => build === '.');
    expect(ours.map(({ command }) => command[0]).sort()).toEqual(['learn', 'worker']);
    for (const { command } of ours) await requireCommand(command);
  });

  it('mentions only services and volumes that it has', () => {
    for (const { command, depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
      for (const url of command.filter((word) => word.startsWith('redis://'))) {
        expect(services).toHaveProperty(new URL(url).hostname);
      }
      for (const mount of mounts.filter((each) => !each.startsWith('.'))) {
        expect(volumes).toHaveProperty(mount.split(':')[0]);
      }
    }
  });
});

describe('kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  const manifests = documents.map((document) => document.toJS() as Manifest);

  it('parses, and runs commands that exist', async () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'Deployment',
      'Job',
      'NetworkPolicy',
      'Service',
    ]);
    const containers = manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
    const ours = containers.filter(({ args }) => args[0] in commands);
    expect(ours.map(({ args }) => args[0]).sort()).toEqual(['learn', 'worker']);
    for (const { args } of ours) await requireCommand(args);
  });

  it('selects pods that it makes, and mounts volumes that it has', () => {
    for (const { kind, spec } of manifests) {
      if (kind === 'Deployment') expect(spec.template!.metadata.labels).toMatchObject(spec.selector!.matchLabels);
      for (const { volumeMounts = [] } of spec.template?.spec.containers ?? []) {
        for (const { name } of volumeMounts) {
          expect(spec.template!.spec.volumes!.map((volume) => volume.name)).toContain(name);
        }
      }
    }
    const hosts = read('kubernetes.yaml').match(/(?<=redis:\/\/)[\w-]+/g)!;
    for (const host of hosts) {
      expect(manifests.some(({ kind, metadata }) => kind === 'Service' && metadata.name === host)).toBe(true);
    }
  });
});

it('slurm.sh is a script, and its command exists', async () => {
  execFileSync('bash', ['-n', `${folder}slurm.sh`]);
  const [, line] = /orthodict (learn .*)/.exec(read('slurm.sh').replaceAll('\\\n', ' '))!;
  await requireCommand(line.trim().split(/\s+/));
  expect(read('slurm.sh').match(/^#SBATCH --[\w-]+(=\S+)?$/gm)!.length).toBe(6);
});

it('Dockerfile installs what the other files run', () => {
  expect(read('Dockerfile')).toMatch(/npm install --global orthodict bullmq ioredis/);
  expect(read('Dockerfile')).toMatch(/ENTRYPOINT \["orthodict"\]/);
  expect(readdirSync(folder).sort()).toEqual(['Dockerfile', 'compose.yaml', 'kubernetes.yaml', 'slurm.sh']);
});
