import type { PayChain } from '#contract/sale.ts'
import type { Config } from '../config.ts'
import { coinOf, type ChainSetting } from '../read-chains.ts'

/**
 * The watched chain of a payment method, if there is one. Where the sale says that it is another kind of chain than the settings do,
 * there is none: nobody is shown an address of the wrong one.
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
