import { expect, test } from 'vitest'
import { hashOf, normalizeHash, textOfRun } from './run-hash.rules.ts'

const run = {
  number: '7',
  network: 'ethereum 1',
  contract: '0x52908400098527886E0F7030069857D2E4169EE7',
  decimals: 18,
  items: [
    {
      position: 1,
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      amount: '100.000000010000000000',
      reference: '0A1B2C3D4E',
    },
    {
      position: 2,
      address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      amount: '2.000000000000000000',
      reference: 'F0F0F0F0F0',
    },
  ],
}

test('the hash covers the number, the network, and each delivery, as computed by hand', () => {
  expect(textOfRun(run)).toBe(
    'payout 1\n' +
      '7\tethereum 1\t0x52908400098527886E0F7030069857D2E4169EE7\t18\n' +
      '1\t0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\t100.00000001\t0A1B2C3D4E\n' +
      '2\t0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359\t2\tF0F0F0F0F0\n',
  )
  expect(hashOf(textOfRun(run))).toBe('98260afab8d7c070cc911fa0ba14328fb1d7276edd38bbe1400282b7d3268a10')
})

test('an officer can paste a hash in groups and capitals', () => {
  expect(normalizeHash(' AB12 cd34\n-56ef ')).toBe('ab12cd3456ef')
})
