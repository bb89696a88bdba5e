import {
  type ChainError,
  type ChainWatcher,
  listChainMonitors,
  tokenCoin,
} from '#contract/money/chain-payments.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { LabeledFacts, type LabeledValues } from '../detail/labeled-facts.tsx'
import { HealthGroup } from './health-group.tsx'
import styles from './health.module.css'

/** The nodes that are polled for payments. Empty if no chain is monitored. `at` is the time of the other checks. */
export function ChainWatchers({ at }: { at: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(at, () => call(listChainMonitors, {}))
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed')
    return <LoadFailed title={t('health.chain.failed')} failure={loaded.failure} retry={loaded.retry} />
  if (loaded.data.watchers.length === 0) return null
  const isGood = (watcher: ChainWatcher) => standingOf(watcher) === 'good'
  const sorted = loaded.data.watchers.toSorted((a, b) => Number(isGood(a)) - Number(isGood(b)))
  return (
    <HealthGroup heading={t('health.chain')} count={sorted.length} isGood={sorted.every(isGood)}>
      <p className={styles.lead}>{t('health.chain.lead')}</p>
      <div className={styles.checks}>
        {sorted.map((watcher) => (
          <Watcher key={watcher.coin} watcher={watcher} />
        ))}
      </div>
    </HealthGroup>
  )
}

const tags = {
  good: { colour: 'green', words: 'health.state.good' },
  attention: { colour: 'yellow', words: 'health.state.attention' },
  down: { colour: 'red', words: 'health.state.down' },
} as const

const watcherWays: Readonly<Record<ChainWatcher['way'], PlainKey>> = {
  bitcoin_rpc: 'health.chain.way.bitcoinRpc',
  electrum: 'health.chain.way.electrum',
  ethereum_rpc: 'health.chain.way.ethereumRpc',
}

export const watcherErrors: Readonly<Record<ChainError, PlainKey>> = {
  unreachable: 'health.chain.error.unreachable',
  refused: 'health.chain.error.refused',
  too_slow: 'health.chain.error.tooSlow',
  too_large: 'health.chain.error.tooLarge',
  not_understood: 'health.chain.error.notUnderstood',
  wrong_network: 'health.chain.error.wrongNetwork',
  wrong_token: 'health.chain.error.wrongToken',
  not_synced: 'health.chain.error.notSynced',
  behind: 'health.chain.error.behind',
  stalled: 'health.chain.error.stalled',
  failed: 'health.chain.error.failed',
}

const standingOf = ({ isStale, reached, error }: ChainWatcher): keyof typeof tags => {
  if (isStale) return 'down'
  return reached && error === null ? 'good' : 'attention'
}

function Watcher({ watcher }: { watcher: ChainWatcher }) {
  const { t, language, formatNumber } = useMessages()
  const { coin, network, way, error, height, lag, lastLookedAt, firstAddress } = watcher
  const { colour, words } = tags[standingOf(watcher)]
  const isToken = coin === tokenCoin
  const id = `health-chain-${isToken ? 'token' : coin}`
  const facts: LabeledValues = {
    'health.chain.network': network,
    'health.chain.way': t(watcherWays[way]),
    'health.chain.looked':
      lastLookedAt === null ? t('health.chain.never') : formatMoment(lastLookedAt, language),
    'health.chain.height': height !== null && formatNumber(height),
    'health.chain.lag': lag !== null && formatNumber(lag),
    'health.chain.confirmations': formatNumber(watcher.confirmationsNeeded),
    ...(!isToken && {
      'health.chain.addresses': watcher.hasOwnAddresses
        ? t('health.chain.addresses.own', { count: watcher.addressesGiven })
        : t('health.chain.addresses.shared'),
      'health.chain.first': firstAddress !== null && <code>{firstAddress}</code>,
      'health.chain.completes': t(
        watcher.completes ? 'health.chain.completes.program' : 'health.chain.completes.finance',
      ),
    }),
  }
  return (
    <article className={styles.check} aria-labelledby={id}>
      <header>
        <h3 id={id}>{isToken ? t('health.chain.token') : coin}</h3>
        <Tag colour={colour}>{t(words)}</Tag>
      </header>
      {error !== null && (
        <ul className={styles.problems}>
          <li>
            <p>{t(watcherErrors[error])}</p>
            <p className={styles.advice}>
              {isToken
                ? t('health.chain.advice.token', { setting: 'TOKEN_CHAIN' })
                : t('health.chain.advice', { setting: `CHAIN_${coin}_URL` })}
            </p>
          </li>
        </ul>
      )}
      <LabeledFacts facts={facts} />
    </article>
  )
}
