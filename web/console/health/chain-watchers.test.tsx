// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chainErrors, listChainMonitors, type ChainWatcher } from '#contract/money/chain-payments.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { ChainWatchers, watcherErrors } from './chain-watchers.tsx'

const at = '2026-11-22T10:00:00.000Z'
const watcher = (change: Partial<ChainWatcher> = {}): ChainWatcher => ({
  coin: 'BTC',
  kind: 'bitcoin',
  network: 'main',
  way: 'electrum',
  reached: true,
  height: 900_000,
  lag: 0,
  lastLookedAt: at,
  isStale: false,
  error: null,
  confirmationsNeeded: 3,
  hasOwnAddresses: true,
  firstAddress: 'bc1qfirst',
  addressesGiven: 12,
  completes: false,
  ...change,
})

async function open(watchers: ChainWatcher[], language: 'en' | 'cn' = 'en') {
  await signedIn({ isWriteAccessAdmin: true })
  answering(listChainMonitors, { at, watchers })
  show(<ChainWatchers at={at} />, language)
  await screen.findByRole('heading', { name: wordsOf(language)('health.chain') })
  return (coin: string) => within(screen.getByRole('article', { name: coin }))
}

test.each(['en', 'cn'] as const)(
  'each watcher shows its status in words, and its data: %s',
  async (language) => {
    const t = wordsOf(language)
    const card = await open(
      [
        watcher(),
        watcher({
          coin: 'ETH',
          kind: 'ethereum',
          network: '1',
          way: 'ethereum_rpc',
          reached: false,
          error: 'too_slow',
        }),
        watcher({
          coin: 'LTC',
          isStale: true,
          reached: false,
          error: 'unreachable',
          height: null,
          lag: null,
        }),
      ],
      language,
    )
    expect(card('BTC').getByText(t('health.state.good'))).toBeVisible()
    expect(card('BTC').getByText('bc1qfirst')).toBeVisible()
    expect(card('BTC').getByText(t('health.chain.completes.finance'))).toBeVisible()
    expect(card('ETH').getByText(t('health.state.attention'))).toBeVisible()
    expect(card('LTC').getByText(t('health.state.down'))).toBeVisible()
    expect(card('LTC').getByText(t('health.chain.advice', { setting: 'CHAIN_LTC_URL' }))).toBeVisible()
  },
)

test.each(chainErrors)('the reason why a node is not polled has a message: %s', async (error) => {
  const card = await open([watcher({ reached: false, error })])
  expect(card('BTC').getByText(wordsOf('en')(watcherErrors[error]))).toBeVisible()
})

test("says so if they can't be loaded", async () => {
  await signedIn({ isWriteAccessAdmin: true })
  refusing(listChainMonitors, 'unavailable')
  show(<ChainWatchers at={at} />)
  expect(await screen.findByText(wordsOf('en')('health.chain.failed'))).toBeVisible()
})
