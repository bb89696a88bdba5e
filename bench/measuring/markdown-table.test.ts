import { expect, test } from 'vitest'
import { markdownTable } from './markdown-table.ts'

test('columns have one width, and numbers stand at the right', () => {
  const table = markdownTable(
    ['work', 'ms'],
    [
      ['search 区块', '1.5'],
      ['list', '120.0'],
    ],
  )
  expect(table.split('\n')).toEqual([
    '| work        |    ms |',
    '| ----------- | ----: |',
    '| search 区块 |   1.5 |',
    '| list        | 120.0 |',
  ])
})
