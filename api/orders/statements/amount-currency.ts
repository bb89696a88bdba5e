/** Currencies that banks abbreviate with a symbol. */
const symbols: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'AUD', 'CAD', 'HKD', 'MXN', 'NZD', 'SGD', 'TWD'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['CNY', 'JPY', 'RMB'],
  '￥': ['CNY', 'JPY', 'RMB'],
  '₩': ['KRW'],
  '₹': ['INR'],
}

const written = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/gu

/** Removes a currency symbol or a code of three letters before or after a number. */
export const withoutCurrency = (amount: string): string => amount.replaceAll(written, '')

/** Returns a currency symbol or code written next to the amount that doesn't stand for `currency`. */
export const findOtherCurrency = (amount: string, currency: string): string | undefined =>
  amount
    .replaceAll(/[\s+]/g, '')
    .match(written)
    ?.find((each) => each !== currency && !symbols[each]?.includes(currency))
