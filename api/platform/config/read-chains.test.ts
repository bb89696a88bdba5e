import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { readConfig, readConfigAndRemarks } from './config.ts'
import { coinOf } from './read-chains.ts'

const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
const url = 'http://reader:a-password@127.0.0.1:8332'

test('monitors no chain without a setting', () => {
  expect(readConfig({})).toMatchObject({ chains: [], completesPaidOrders: false })
})

test('uses the usual defaults of a coin for its monitor', async () => {
  const folder = await makeTemporary('keys')
  onTestFinished(() => removeTemporary(folder))
  const file = join(folder, 'xpub')
  writeFileSync(file, `${zpub}\n`)
  const { chains, chainUrls, completesPaidOrders } = readConfig({
    CHAIN_BTC_URL: url,
    CHAIN_BTC_XPUB_FILE: file,
    CHAIN_ETH_URL: 'https://node.example',
    CHAIN_SATS_URL: 'ssl://electrum.example:50002',
    CHAIN_SATS_KIND: 'bitcoin',
    CHAIN_SATS_NETWORK: 'signet',
    CHAIN_SATS_CONFIRMATIONS: '2',
    CHAIN_COMPLETE: 'exact',
  })
  expect(chains).toMatchObject([
    { coin: 'BTC', way: 'bitcoin_rpc', network: 'main', confirmations: 6, account: { text: zpub } },
    { coin: 'ETH', way: 'ethereum_rpc', network: '1', confirmations: 64, account: null },
    { coin: 'SATS', way: 'electrum', network: 'signet', confirmations: 2, account: null },
  ])
  expect(chainUrls.get('BTC')).toBe(url)
  expect(completesPaidOrders).toBe(true)
})

test('reads the block explorer of a coin, monitored or not', () => {
  const { explorers, chains } = readConfig({ CHAIN_USDT_ERC_20_EXPLORER: 'https://explorer.example/' })
  expect([...explorers]).toEqual([['USDT_ERC_20', 'https://explorer.example']])
  expect(chains).toEqual([])
  expect(() => readConfig({ CHAIN_BTC_EXPLORER: 'explorer.example' })).toThrow(/CHAIN_BTC_EXPLORER must be/)
})

test('derives the coin of a payment method from its code in capitals', () => {
  expect(['btc', 'USDT (ERC-20)', ' Ether '].map(coinOf)).toEqual(['BTC', 'USDT_ERC_20', 'ETHER'])
})

test.each([
  [{ CHAIN_BTC_URL: 'ftp://user:a-password@node' }, /^The setting CHAIN_BTC_URL must be an address/],
  [{ CHAIN_ETH_URL: 'tcp://node:1' }, /^The setting CHAIN_ETH_URL must be an address/],
  [{ CHAIN_BTC_URL: 'ssl://electrum.example' }, /must include the port/],
  [{ CHAIN_DOGE_URL: 'http://node' }, /^The setting CHAIN_DOGE_KIND must be the type/],
  [{ CHAIN_BTC_XPUB: zpub }, /^The setting CHAIN_BTC_XPUB can be set only with CHAIN_BTC_URL/],
  [{ CHAIN_BTC_URL: url, CHAIN_BTC_XPUB: `${zpub}x` }, /^The setting CHAIN_BTC_XPUB must be an extended/],
  [{ CHAIN_BTC_URL: url, CHAIN_BTC_NETWORK: 'regtest', CHAIN_BTC_XPUB: zpub }, /must be a key for regtest/],
  [{ CHAIN_BTC_URL: url, CHAIN_BTC_NETWORK: 'mainnet' }, /^The setting CHAIN_BTC_NETWORK must be one of/],
  [{ CHAIN_ETH_URL: 'http://node', CHAIN_ETH_NETWORK: 'main' }, /whole number/],
  [{ CHAIN_BTC_URL: url, CHAIN_BTC_CONFIRMATIONS: '0' }, /whole number from 1 to 1000/],
  [{ CHAIN_COMPLETE: 'exact' }, /^The setting CHAIN_COMPLETE can be set only with a watched chain/],
  [
    {
      CHAIN_BTC_URL: url,
      CHAIN_BTC_XPUB: zpub,
      CHAIN_BITCOIN_URL: url,
      CHAIN_BITCOIN_KIND: 'bitcoin',
      CHAIN_BITCOIN_XPUB: zpub,
    },
    /^The setting CHAIN_BTC_XPUB must be a different account from CHAIN_BITCOIN_XPUB/,
  ],
  [{ CHAIN_BTC_URL: url, CHAIN_COMPLETE: 'always' }, /must be one of off, exact/],
])('%o is refused in a sentence that holds no secret', (given, sentence) => {
  const read = () => readConfig(given)
  expect(read).toThrow(sentence)
  expect(read).not.toThrow(/password|zpub6/)
})

test('remarks on a name that resembles a setting', () => {
  const { remarks } = readConfigAndRemarks({ CHAIN_BTC_URL: url, CHAIN_BTC_XPUP: zpub })
  expect(remarks.map(String)).toEqual([
    'The setting CHAIN_BTC_XPUP does not exist and has no effect. Did you mean CHAIN_BTC_XPUB?',
  ])
})
