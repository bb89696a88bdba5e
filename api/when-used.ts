import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * A package that most of the time nobody needs, read with its first use instead of at each start; for work that cannot wait for
 * an `import()`.
 */
export function whenUsed<Package>(read: (require: NodeJS.Require) => Package): () => Package {
  let loaded: Package | undefined
  return () => (loaded ??= read(require))
}
