import { expect, test } from 'vitest'
import {
  fileFormats,
  fileNameOf,
  formatsOf,
  isRepresentable,
  isWritable,
  normalizeTransaction,
  smallestUnits,
} from './run-files.rules.ts'

const hash = 'ab'.repeat(32)
const contract = '0x52908400098527886E0F7030069857D2E4169EE7'
const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const run = {
  number: '7',
  network: 'ethereum 1',
  contract,
  decimals: 18,
  hash,
  frozenAt: new Date('2036-05-01T12:00:00.000Z'),
  items: [{ position: 1, address: to, amount: '100.000000010000000000', reference: '0A1B2C3D4E' }],
}

test('writes a CSV with the reference of each delivery and the hash of the run', () => {
  expect(fileFormats.csv.write(run)).toBe(
    `address,amount,reference,run\r\n${to},100.00000001,0A1B2C3D4E,${hash}\r\n`,
  )
})

test('writes a list for Disperse', () => {
  expect(fileFormats.disperse.write(run)).toBe(`${to},100.00000001\n`)
})

test('writes a Safe batch of ERC-20 transfers', () => {
  const text = fileFormats.safe.write(run)
  expect(text.endsWith('}\n')).toBe(true)
  expect(JSON.parse(text)).toEqual({
    version: '1.0',
    chainId: '1',
    createdAt: 2_093_256_000_000,
    meta: { name: 'Payout 7', description: hash, txBuilderVersion: '1.17.0' },
    transactions: [
      {
        to: contract,
        value: '0',
        data: null,
        contractMethod: {
          name: 'transfer',
          payable: false,
          inputs: [
            { name: 'to', type: 'address', internalType: 'address' },
            { name: 'value', type: 'uint256', internalType: 'uint256' },
          ],
        },
        contractInputsValues: { to, value: '100000000010000000000' },
      },
    ],
  })
})

test('writes a Safe batch of native transfers without a contract', () => {
  const { transactions } = JSON.parse(fileFormats.safe.write({ ...run, contract: '' })) as {
    transactions: unknown[]
  }
  expect(transactions).toEqual([{ to, value: '100000000010000000000', data: '0x' }])
})

test('writes the outputs for a Bitcoin-like wallet', () => {
  const { items } = run
  const bitcoin = { ...run, network: 'bitcoin main', items: [{ ...items[0]!, address: 'bc1qaddress' }] }
  expect(fileFormats.psbt.write(bitcoin)).toBe(
    `{\n  "run": "${hash}",\n  "outputs": [\n    {\n      "bc1qaddress": "100.00000001"\n    }\n  ]\n}\n`,
  )
})

test('converts amounts exactly, and refuses those with too many decimal places', () => {
  expect(smallestUnits('0.00000001', 8)).toBe('1')
  expect(smallestUnits('12345678901234567890.12345678', 18)).toBe('12345678901234567890123456780000000000')
  expect(isRepresentable('0.000000001', 8)).toBe(false)
  expect(() => smallestUnits('0.000000001', 8)).toThrow('decimal places')
})

test('each network has the formats that its wallets read', () => {
  expect(formatsOf('ethereum 1')).toEqual(['csv', 'safe', 'disperse'])
  expect(formatsOf('ethereum')).toEqual(['csv', 'disperse'])
  expect(formatsOf('bitcoin main')).toEqual(['csv', 'psbt'])
  expect(formatsOf('own')).toEqual(['csv'])
})

test('an address that a spreadsheet would take for a formula is not paid', () => {
  expect(['=cmd', '@x', '-1', 'a,b', 'a b'].filter(isWritable)).toEqual([])
  expect(isWritable(to)).toBe(true)
})

test('accepts transaction IDs in the form of the network only', () => {
  const id = 'AB'.repeat(32)
  expect(normalizeTransaction('ethereum 1', id)).toBe(`0x${id.toLowerCase()}`)
  expect(normalizeTransaction('bitcoin main', id)).toBe(id.toLowerCase())
  expect(normalizeTransaction('bitcoin main', `0x${id}`)).toBeUndefined()
  expect(normalizeTransaction('own', 'has a space')).toBeUndefined()
})

test('the file is named after the number and the beginning of the hash', () => {
  expect(fileNameOf({ number: '7', hash }, 'safe')).toBe(`payout-7-safe-${hash}.json`)
})
