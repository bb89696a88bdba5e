import { afterEach, beforeEach } from 'vitest'

// Files of a worker share modules and window. Vitest reads this one for each of them, so that its hooks are in all.
if (typeof document !== 'undefined') {
  const { expectNoOtherCalls, stubApi } = await import('./stub-api.ts')
  const { showNothing } = await import('./show.tsx')
  beforeEach(stubApi)
  afterEach(expectNoOtherCalls)
  afterEach(showNothing)
}
