import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * Returns a function that loads a rarely used package on first use instead of at startup; for work that cannot wait for
 * an `import()`.
 */
export function whenUsed<Package>(read: (require: NodeJS.Require) => Package): () => Package {
  let loaded: Package | undefined
  return () => (loaded ??= read(require))
}
