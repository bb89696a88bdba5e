import { name, ticker } from '#content/brand.json'
import type { PublicPayMethod, PublicSale } from '#contract/money/public-sale.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { pathIn } from '../kernel/routes/routes.ts'
import { buyingSteps } from '../site/sale/how-to-buy.tsx'
import type { Described, Thing } from './linked-data.ts'

type Place = Pick<Described, 'origin' | 'language' | 'say'>

/**
 * The token with an offer for each payment method. Left out unless orders are accepted, because a price at which no one
 * can buy is not an offer.
 */
export function offersOfSale(
  { state, closesAt, payMethods }: PublicSale,
  { origin, language }: Place,
): Thing[] {
  if (state !== 'open') return []
  const address = origin + pathIn(language, 'sale')
  return [
    {
      '@type': 'Product',
      '@id': `${address}#token`,
      name: `${name} (${ticker})`,
      category: 'Crypto-asset',
      url: address,
      offers: payMethods.map((method) => offer(method, { origin, address, closesAt })),
    },
  ]
}

/**
 * States how many tokens one unit of the currency buys. This number is always exact, unlike the price of one token.
 */
const offer = (
  { currency, rate, minAmount, maxAmount }: PublicPayMethod,
  { origin, address, closesAt }: { origin: string; address: string; closesAt: string | null },
): Thing => ({
  '@type': 'Offer',
  url: address,
  availability: 'https://schema.org/InStock',
  ...(closesAt !== null && { availabilityEnds: closesAt }),
  seller: { '@id': `${origin}/#organization` },
  priceSpecification: {
    '@type': 'UnitPriceSpecification',
    price: '1',
    priceCurrency: currency,
    referenceQuantity: { '@type': 'QuantitativeValue', value: rate, unitText: ticker },
  },
  eligibleTransactionVolume: {
    '@type': 'PriceSpecification',
    minPrice: minAmount,
    maxPrice: maxAmount,
    priceCurrency: currency,
  },
})

export const stepsOfSale = ({ origin, language, say }: Place): Thing => ({
  '@type': 'HowTo',
  name: say('sale.steps.heading'),
  inLanguage: htmlLanguage[language],
  step: buyingSteps.map((step) => ({
    '@type': 'HowToStep',
    position: step,
    name: say(`sale.step${step}.title`),
    text: say(`sale.step${step}.text`),
    url: `${origin}${pathIn(language, 'sale')}#step-${step}`,
  })),
})
