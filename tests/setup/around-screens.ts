import { afterEach, beforeEach } from 'vitest'

// Files of a worker share modules and the window. Vitest loads this file for each of them, so its hooks apply to all.
if (typeof document !== 'undefined') {
  const { expectNoOtherCalls, stubApi } = await import('./stub-api.ts')
  const { showNothing } = await import('./show.tsx')
  const { addPopovers } = await import('./popovers.ts')
  addPopovers()
  beforeEach(stubApi)
  afterEach(expectNoOtherCalls)
  afterEach(showNothing)
}
