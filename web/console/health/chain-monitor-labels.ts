import type { ChainError, ChainWatcher } from '#contract/chain-payments.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

export const watcherWays: Readonly<Record<ChainWatcher['way'], PlainKey>> = {
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
  not_synced: 'health.chain.error.notSynced',
  behind: 'health.chain.error.behind',
  stalled: 'health.chain.error.stalled',
  failed: 'health.chain.error.failed',
}
