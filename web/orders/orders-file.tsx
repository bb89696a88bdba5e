import { useEffect, useState } from 'react'
import { csvLine, csvStart } from '#contract/csv.ts'
import type { Order } from '#contract/orders.ts'
import { useMessages, type UsedMessages } from '../i18n/messages.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { isListed } from './order-list.tsx'
import { orderStates } from './order-states.ts'

/**
 * A link to a CSV file of all orders. Its numbers match the rows of the list; orders without a row have no number.
 * Amounts are unformatted, so that programs can read them.
 */
export function OrdersFile({ orders }: { orders: readonly Order[] }) {
  const { t } = useMessages()
  const [address, setAddress] = useState<string>()
  const text = csvOf(rowsOf(orders, t))
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return (
    <ButtonLink kind="quiet" href={address} download={t('orders.csv.fileName')}>
      {t('orders.csv')}
    </ButtonLink>
  )
}

export function rowsOf(orders: readonly Order[], t: UsedMessages['t']): string[][] {
  const listed = orders.filter(isListed)
  const row = (order: Order, number: string): string[] => [
    number,
    order.reference,
    order.createdAt,
    order.payMethod,
    order.exactAmount ?? '',
    order.exactFabQty ?? '',
    t(orderStates[order.status].words),
    order.txId,
    order.currency,
  ]
  return [
    [
      t('orders.number'),
      t('orders.reference'),
      t('orders.placedAt'),
      t('orders.payMethod'),
      t('orders.amount'),
      t('orders.fabQty'),
      t('orders.status'),
      t('orders.txId'),
      t('orders.currency'),
    ],
    ...listed.map((order, index) => row(order, String(index + 1))),
    ...orders.filter((order) => !isListed(order)).map((order) => row(order, '')),
  ]
}

export const csvOf = (rows: readonly (readonly string[])[]): string => csvStart + rows.map(csvLine).join('')
