/** Digits after the point that an order can carry. */
const scale = 18

type Counted = { status: string; fabQty: number | null }

/** An order counts when it is completed, however that is written, and its quantity is a number. */
export const countsTowardsTotal = (order: Counted): boolean =>
  order.status.toLowerCase() === 'completed' &&
  typeof order.fabQty === 'number' &&
  Number.isFinite(order.fabQty)

/** The exact sum of the quantities that count, as a plain decimal such as `1200.5`. */
export function orderTotal(orders: readonly Counted[]): string {
  const sum = orders
    .filter(countsTowardsTotal)
    .reduce((total, order) => total + scaled(order.fabQty ?? 0), 0n)
  return decimal(sum)
}

/** The number as its shortest decimal says it, times 10^18: 0.1 is a tenth, not the binary fraction next to it. */
function scaled(value: number): bigint {
  const [digits = '0', exponent = '0'] = String(Math.abs(value)).split('e')
  const [whole = '0', fraction = ''] = digits.split('.')
  const shift = scale + Number(exponent) - fraction.length
  const integer = BigInt(whole + fraction)
  const result = shift >= 0 ? integer * 10n ** BigInt(shift) : integer / 10n ** BigInt(-shift)
  return value < 0 ? -result : result
}

function decimal(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return sign + digits.slice(0, -scale) + (fraction && `.${fraction}`)
}
