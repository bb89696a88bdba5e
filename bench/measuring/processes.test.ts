import { expect, test } from 'vitest'
import { childrenOf, parentOf, processorTimeOf, readStat } from './processes.ts'

test('processor times stand behind a name that may hold anything', () => {
  const fields = ['S', 4711, ...Array(9).fill(0), 20, 5, 300, 7, ...Array(30).fill(0)].join(' ')
  expect(readStat(`12 (a (b) c) ${fields}`)).toEqual({ parent: 4711, own: 250, ofEnded: 3070 })
})

test.runIf(process.platform === 'linux')('a process is found, and is the child of its parent', () => {
  expect(parentOf(process.pid)).toBe(process.ppid)
  expect(childrenOf(process.ppid)).toContain(process.pid)
  expect(processorTimeOf(process.pid)).toBeGreaterThan(0)
  expect(processorTimeOf(2 ** 30)).toBeUndefined()
})
