import { expect, test } from 'vitest'
import { textOf } from './source-files.ts'

type Dependencies = Record<string, string>
type Package = {
  dependencies?: Dependencies
  optionalDependencies?: Dependencies
  devDependencies?: Dependencies
  version?: string
  resolved?: string
  integrity?: string
}

const publicRegistry = 'https://registry.npmjs.org/'
const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Package> }
const manifest = JSON.parse(textOf('package.json')) as Package

/** Resolves a name like Node: next to the importing package, then further up. */
function isFound(asker: string, name: string): boolean {
  if (packages[`${asker ? `${asker}/` : ''}node_modules/${name}`]) return true
  return asker !== '' && isFound(asker.slice(0, Math.max(0, asker.lastIndexOf('/node_modules/'))), name)
}

// A lock file created where a registry lacked some platform's package looks complete there and fails elsewhere.
test('everything that a locked package may need is locked, for every platform', () => {
  const missing = Object.entries(packages).flatMap(([asker, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isFound(asker, name))
      .map((name) => `${asker || 'package.json'} needs ${name}`),
  )
  expect(missing).toEqual([])
})

test('every locked package has its version and its sum, and lies in no registry but the public one', () => {
  const loose = Object.entries(packages).filter(
    ([path, { version, resolved, integrity }]) =>
      path !== '' &&
      !(
        version &&
        integrity?.startsWith('sha512-') &&
        (resolved ?? publicRegistry).startsWith(publicRegistry)
      ),
  )
  expect(loose.map(([path]) => path)).toEqual([])
})

test('package.json names exact versions, the ones that are locked', () => {
  const wanted = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  }
  const differing = Object.entries(wanted).filter(
    ([name, version]) =>
      !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) || packages[`node_modules/${name}`]?.version !== version,
  )
  expect(differing).toEqual([])
})
