import { expect, test } from 'vitest'
import { modules } from '#api/app.ts'
import type { Module } from '#api/platform/module.ts'
import { jobNames } from '#contract/platform/job-names.ts'

test('each step of the housekeeping has a name for operators, under `jobNames`', () => {
  const steps = (modules as readonly Module[]).flatMap(({ cleanUp = {} }) => Object.keys(cleanUp))
  expect(steps.length).toBeGreaterThan(20)
  expect(steps.filter((step) => !(jobNames as readonly string[]).includes(step))).toEqual([])
})
