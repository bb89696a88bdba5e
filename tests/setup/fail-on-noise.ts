import { afterEach, beforeEach, expect, vi } from 'vitest'

let noise: unknown[][] = []

/** An error or warning on the console is a defect. */
beforeEach(() => {
  noise = []
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void noise.push(words))
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(noise).toEqual([])
})
