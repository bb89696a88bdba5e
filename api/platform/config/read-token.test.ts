import { expect, test } from 'vitest'
import { readToken } from './read-token.ts'
import { readSettingsOf, type Environment } from './setting-reader.ts'

const contract = '0x52908400098527886E0F7030069857D2E4169EE7'
const read = (environment: Environment, format?: Parameters<typeof readToken>[1]) =>
  readToken(readSettingsOf(environment), format).token

test('uses the usual decimal places and network of the format of the addresses', () => {
  expect(read({}, 'ethereum')).toEqual({
    kind: 'ethereum',
    network: 'ethereum',
    chainId: null,
    contract: '',
    decimals: 18,
    explorer: null,
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
