import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PackRefused } from '../identify-release.ts'
import { readManifest, tracePackages } from '../pack-release.ts'

type Lock = { packages: Record<string, { version: string; resolved?: string }> }
type Sbom = { metadata: { tools: { components: { name: string }[] } } }

/** They only build the site. Everything else that the program depends on is loaded or is part of the built site. */
const forBuilding = new Set(['vite', '@vitejs/plugin-react'])

/** Writes a CycloneDX SBOM of the packages in a release for this platform, with the checksum of each. */
export function writeSbom(root: string, file: string): void {
  const { devDependencies: _, scripts: _scripts, dependencies, ...manifest } = readManifest()
  const kept = Object.entries(dependencies).filter(([name]) => !forBuilding.has(name))
  const own = { ...manifest, dependencies: Object.fromEntries(kept), optionalDependencies: undefined }
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockOf(root, own)))
    const made = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js'),
        '--package-lock-only',
        '--output-reproducible',
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    if (made.status !== 0) throw new PackRefused(`The SBOM couldn’t be written.\n${made.stderr}`)
    writeFileSync(file, `${JSON.stringify(withoutNpm(JSON.parse(made.stdout) as Sbom), undefined, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reduces the lock file to what these dependencies need on this platform. */
function lockOf(root: string, own: { dependencies: Record<string, string> }): unknown {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const shipped = Array.from(tracePackages(root, Object.keys(own.dependencies)), (path) =>
    relative(root, path),
  )
  // The installer of `node` installs its own dependency a second time, in a folder that the lock file doesn't know.
  const paths = new Set(
    shipped.map((path) => (path in lock.packages ? path : `node_modules/${nameOf(path)}`)),
  )
  const packages = [...paths].toSorted().flatMap((path) => {
    const locked = lock.packages[path]
    return locked ? [[path, { resolved: addressOf(path, locked.version), ...locked }] as const] : []
  })
  return { ...lock, packages: { '': own, ...Object.fromEntries(packages) } }
}

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The lock file leaves the address out, but the SBOM has checksums only for packages with an address. */
function addressOf(path: string, version: string): string {
  const name = nameOf(path)
  return `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
}

/** The version of npm differs between machines and has no effect on the list. */
function withoutNpm(sbom: Sbom): Sbom {
  const { tools } = sbom.metadata
  tools.components = tools.components.filter(({ name }) => name !== 'npm')
  return sbom
}
