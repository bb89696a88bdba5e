import { expect, test } from 'vitest'
import { readChains } from './read-chains.ts'
import { readToken } from './read-token.ts'
import { readSettingsOf, type Environment } from './setting-reader.ts'

const contract = '0x52908400098527886E0F7030069857D2E4169EE7'
const read = (environment: Environment, format?: Parameters<typeof readToken>[1]) =>
  readToken(readSettingsOf(environment), format, readChains(readSettingsOf(environment))).token

test('uses the usual decimal places and network of the format of the addresses', () => {
  expect(read({}, 'ethereum')).toEqual({
    kind: 'ethereum',
    network: 'ethereum',
    chainId: null,
    contract: '',
    decimals: 18,
    explorer: null,
    watch: null,
  })
  expect(read({}, 'bitcoin')).toMatchObject({ kind: 'bitcoin', network: 'bitcoin main', decimals: 8 })
  expect(read({}, 'bech32')).toMatchObject({ kind: 'own', network: 'own', decimals: 8 })
  expect(read({}, 'other')).toMatchObject({ kind: 'own', network: 'own', decimals: 8 })
})

test('reads a contract on an Ethereum chain, and an explorer without the slash at its end', () => {
  const settings = {
    TOKEN_CONTRACT: contract.toLowerCase(),
    TOKEN_NETWORK: '1',
    TOKEN_DECIMALS: '9',
    TOKEN_EXPLORER: 'https://explorer.example/',
  }
  expect(read(settings, 'ethereum')).toEqual({
    kind: 'ethereum',
    network: 'ethereum 1',
    chainId: '1',
    contract,
    decimals: 9,
    explorer: 'https://explorer.example',
    watch: null,
  })
  expect(read({ TOKEN_NETWORK: 'regtest' }, 'bitcoin').network).toBe('bitcoin regtest')
})

test.each<[string, Environment, Parameters<typeof readToken>[1]]>([
  ['a contract of a token without Ethereum addresses', { TOKEN_CONTRACT: contract }, 'bitcoin'],
  ['a wrong checksum', { TOKEN_CONTRACT: contract.replace('E7', 'e7') }, 'ethereum'],
  ['a name as the ID of an Ethereum chain', { TOKEN_NETWORK: 'main' }, 'ethereum'],
  ['a network with a space', { TOKEN_NETWORK: 'main net' }, 'bitcoin'],
  ['fewer decimal places than an order has', { TOKEN_DECIMALS: '6' }, 'ethereum'],
  ['an explorer that is no URL', { TOKEN_EXPLORER: 'explorer' }, 'ethereum'],
])('refuses %s', (_, environment, format) => {
  expect(() => read(environment, format)).toThrow(/TOKEN_/)
})

const node = { CHAIN_ETH_URL: 'http://127.0.0.1:8545', CHAIN_ETH_NETWORK: '1337', TOKEN_CHAIN: 'eth' }

test('reads the chain whose node shows the transfers, under a name that no payment method has', () => {
  const settings = {
    ...node,
    CHAIN_ETH_CONFIRMATIONS: '3',
    CHAIN_ETH_EXPLORER: 'https://chain.example',
    TOKEN_CONTRACT: contract,
    TOKEN_TREASURY: `${contract}, ${contract.toLowerCase()}`,
  }
  expect(read(settings, 'ethereum')).toMatchObject({
    network: 'ethereum 1337',
    chainId: '1337',
    explorer: 'https://chain.example',
    watch: {
      chain: { coin: '*token', network: '1337', confirmations: 3, account: null, takesAll: true },
      url: node.CHAIN_ETH_URL,
      treasury: [contract.toLowerCase(), contract.toLowerCase()],
    },
  })
  const bitcoin = { CHAIN_BTC_URL: 'http://127.0.0.1:8332', CHAIN_BTC_NETWORK: 'regtest', TOKEN_CHAIN: 'BTC' }
  expect(read(bitcoin, 'bitcoin')).toMatchObject({
    network: 'bitcoin regtest',
    watch: { chain: { coin: '*token', takesAll: false }, treasury: [] },
  })
})

test.each([
  ['a chain without a node', { TOKEN_CHAIN: 'ETH', TOKEN_TREASURY: contract }, 'ethereum'],
  ['a chain with another format of addresses', { ...node, TOKEN_TREASURY: contract }, 'bitcoin'],
  ['no treasury', node, 'ethereum'],
  ['a treasury with a wrong checksum', { ...node, TOKEN_TREASURY: contract.replace('E7', 'e7') }, 'ethereum'],
  ['a treasury without a chain', { TOKEN_TREASURY: contract }, 'ethereum'],
  [
    'a network besides that of the chain',
    { ...node, TOKEN_TREASURY: contract, TOKEN_NETWORK: '1' },
    'ethereum',
  ],
] as const)('refuses %s', (_, environment, format) => {
  expect(() => read(environment, format)).toThrow(/TOKEN_/)
})
