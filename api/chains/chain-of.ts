import type { PayChain } from '#contract/sale.ts'
import type { Config } from '../config.ts'
import { coinOf, type ChainSetting } from '../read-chains.ts'

/**
 * Returns the monitored chain of a payment method. Undefined if the sale and the settings disagree about the kind of
 * chain, so that no one is shown an address of the wrong chain.
 */
export function chainOf(
  { chains }: Pick<Config, 'chains'>,
  payMethod: string,
  payChain: PayChain | null,
): ChainSetting | undefined {
  const coin = coinOf(payMethod)
  const chain = chains.find((each) => each.coin === coin)
  return payChain === null || payChain === 'other' || payChain === chain?.kind ? chain : undefined
}
