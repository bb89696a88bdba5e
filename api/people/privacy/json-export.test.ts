import { expect, test } from 'vitest'
import type { Part, PartName, Source } from '../../platform/module.ts'
import { jsonExport } from './export-member.ts'

let isRead = 0
const many: Part = {
  isList: true,
  async *read() {
    for (let n = 0; n < 5_000; n += 1) {
      isRead += 1
      yield { n, text: '中 "quoted" \\ \u2028' }
    }
  },
}
const one: Part = {
  isList: false,
  async *read() {
    yield { name: 'Ada' }
  },
}
const none: Part = { isList: true, async *read() {} }
const parts: [PartName, Part][] = [
  ['profile', one],
  ['sessions', many],
  ['orders', none],
]

test('the export is streamed while it is read, and is one object', async () => {
  const stream = jsonExport(parts, {} as Source)
  const pieces = stream[Symbol.asyncIterator]()
  let sent = ''
  for (let n = 0; n < 50; n += 1) sent += (await pieces.next()).value as string
  expect(isRead).toBeLessThan(200)
  for await (const piece of stream) sent += piece as string
  const { profile, sessions, orders } = JSON.parse(sent) as Record<string, unknown[]>
  expect(profile).toEqual({ name: 'Ada' })
  expect(sessions).toHaveLength(5_000)
  expect(sessions![4_999]).toEqual({ n: 4_999, text: '中 "quoted" \\ \u2028' })
  expect(orders).toEqual([])
})
