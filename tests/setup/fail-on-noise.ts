import { afterEach, beforeEach, expect, vi } from 'vitest'

let noise: unknown[][] = []

/** A complaint on the console is a defect that nobody has looked at yet. */
beforeEach(() => {
  noise = []
  for (const level of ['error', 'warn'] as const)
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void noise.push(words))
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(noise).toEqual([])
})
