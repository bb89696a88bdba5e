import { onTestFinished } from 'vitest'
import { api } from '#contract/api.ts'
import { tokenCoin } from '#contract/money/chain-payments.ts'
import { markExported } from '#api/money/payouts/payout.queries.ts'
import { pollTransfers, readerOfToken } from '#api/money/payouts/watch-transfers.ts'
import { readChains } from '#api/platform/config/read-chains.ts'
import { readToken, type TokenSetting } from '#api/platform/config/read-token.ts'
import { readSettingsOf } from '#api/platform/config/setting-reader.ts'
import { sampleEthereumAddress } from '#demo/addresses.ts'
import { officers, readRun, storeRun } from './payouts.ts'
import { scriptedToken, startScriptedEthereum } from './setup/scripted-ethereum.ts'
import { startAnotherInstance, startApi, type TestApi } from './setup/start-api.ts'
import { as } from './step-up.ts'

export const confirmations = 3

/** Reads the settings of the token for addresses of that format, whatever those of the brand are. */
export function readTokenFrom(
  environment: Record<string, string>,
  format: 'ethereum' | 'bitcoin',
): TokenSetting {
  const settings = readSettingsOf(environment)
  return readToken(settings, format, readChains(settings)).token
}

/** Polls the token's chain as if it were due. */
export async function pollToken(on: TestApi, token: TokenSetting, holder?: string) {
  await on.services.db
    .updateTable('chain_watch')
    .set({ next_at: new Date(0) })
    .execute()
  return pollTransfers(on.services, token.watch!, readerOfToken(token, token.watch!), { holder })
}

/** An installation that reads a token on a chain by these settings, with two officers. */
export async function anInstallationThatReads(
  environment: Record<string, string>,
  format: 'ethereum' | 'bitcoin' = 'ethereum',
) {
  const on = await startApi()
  const token = readTokenFrom(environment, format)
  Object.assign(on.services.config, { token })
  const [one, two] = await officers(on, 2)
  return {
    on,
    token,
    one,
    two,
    poll: (holder?: string) => pollToken(on, token, holder),
    /** A second instance with the same settings on the same database. */
    async another(): Promise<TestApi> {
      const other = await startAnotherInstance(on)
      Object.assign(other.services.config, { token })
      return other
    },
    /** An exported run of one delivery. */
    async exported(wanted: { address?: string; amount?: string } = {}) {
      const address = sampleEthereumAddress(crypto.randomUUID())
      const run = await storeRun(on, one.id, { address, amount: '100', token, ...wanted })
      await markExported(on.services.db, run.id)
      return { address, ...wanted, ...run }
    },
    itemOf: async (id: string) => (await readRun(on, one, id)).list[0]!,
    stateOf: async (id: string) => (await readRun(on, one, id)).list[0]!.state,
    listed: async () => (await on.call(api.listPayoutTransfers, {}, as(one))).body.transfers,
    watch: () =>
      on.services.db
        .selectFrom('chain_watch')
        .selectAll()
        .where('coin', '=', tokenCoin)
        .executeTakeFirstOrThrow(),
  }
}

/** The same, with a chain that the test writes. */
export async function aScriptedToken() {
  const node = await startScriptedEthereum()
  onTestFinished(() => void node.stop())
  const settings = {
    CHAIN_ETH_URL: node.url,
    CHAIN_ETH_NETWORK: scriptedToken.network,
    CHAIN_ETH_CONFIRMATIONS: String(confirmations),
    TOKEN_CHAIN: 'ETH',
    TOKEN_CONTRACT: scriptedToken.contract,
    TOKEN_TREASURY: scriptedToken.treasury,
  }
  return { node, settings, ...(await anInstallationThatReads(settings)) }
}
