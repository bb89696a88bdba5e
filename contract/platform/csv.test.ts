import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['﹦1', "'﹦1"],
  ['−1', "'−1"],
  [' =1', "' =1"],
  ['\u00A0=1', "'\u00A0=1"],
  ['\u200B=1', "'\u200B=1"],
  ['\uFEFF=1', "'\uFEFF=1"],
  ['a;=1', `"a;'=1"`],
  ['a; ＝1', `"a;' ＝1"`],
  ['a\t=1', `"a\t'=1"`],
  ['a\r=1', `"a\r'=1"`],
  ['a\n@x;-1', `"a\n'@x;'-1"`],
  ['\ta', `"'\ta"`],
])("writes %j so that spreadsheets don't run it", (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`)
})

test.each(['plain', 'a-b', '1=1', 'user@example.org', '电话 +1', '“=1”'])('writes %j unchanged', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`)
})

test('writes decimals unchanged', () => {
  expect(csvLine([{ decimal: '-1.5' }, 'a,b'])).toBe('-1.5,"a,b"\r\n')
})
