import { expect, test } from 'vitest'
import { paymentUri } from './payment.rules.ts'

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const bnb = { coin: 'BNB', kind: 'ethereum', network: '56' } as const

test.each([
  ['ETH', [], '1'],
  ['ETH', [bnb], '1'],
  ['ETH', [{ ...bnb, coin: 'ETH', network: '11155111' }], '11155111'],
  ['bnb', [bnb], '56'],
  // Whatever chain that is: on the main network a wallet would pay ether.
  ['BNB', [], null],
  ['BNB', [{ coin: 'BNB', kind: 'bitcoin', network: 'main' } as const], null],
])('a wallet is told the network that %s is on, as %o says: %s', (code, chains, network) => {
  const order = { pay_chain: 'ethereum', pay_method: code, amount: '10', reference: 'R' } as const
  const uri = network === null ? null : `ethereum:${address}@${network}?value=10000000000000000000`
  expect(paymentUri(order, address, chains)).toBe(uri)
})
