import { expect, test } from 'vitest'
import { readTransactionLines } from './read-transaction-lines.ts'

const line = (reference: string, txId: string) => ({ reference, txId })

test.each([
  ['commas', 'AAAAAAAAAA,0x1\nBBBBBBBBBB,0x2'],
  ['semicolons and a heading', 'reference;txId\r\nAAAAAAAAAA;0x1\r\nBBBBBBBBBB;0x2\r\n'],
  ['tabs, as pasted from a spreadsheet', 'AAAAAAAAAA\t0x1\n\nBBBBBBBBBB\t0x2\n'],
  ['quotes and a byte order mark', '\uFEFF"Reference","TxID"\n"AAAAAAAAAA","0x1"\n"BBBBBBBBBB", "0x2"'],
  [
    'the columns of an exported file',
    'address,amount,reference,run,txId\n0xabc,1.5,AAAAAAAAAA,7,0x1\n0xdef,2,BBBBBBBBBB,7,0x2',
  ],
])('reads lines with %s', (_, text) => {
  expect(readTransactionLines(text)).toEqual({
    lines: [line('AAAAAAAAAA', '0x1'), line('BBBBBBBBBB', '0x2')],
    incomplete: [],
  })
})

test('names the lines that lack a reference or a transaction ID, and guesses nothing', () => {
  expect(readTransactionLines('reference,txId\nAAAAAAAAAA,\n,0x2\nCCCCCCCCCC\nDDDDDDDDDD,0x4')).toEqual({
    lines: [line('DDDDDDDDDD', '0x4')],
    incomplete: [2, 3, 4],
  })
})

test('reads nothing from an empty text', () => {
  expect(readTransactionLines(' \n\n')).toEqual({ lines: [], incomplete: [] })
})
