import { useEffect, useState } from 'react'
import type { Order } from '#contract/orders.ts'
import { useWords } from '../i18n/words.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { orderStates } from './order-states.ts'
import { csvOf } from './orders-csv.ts'

/** A link to a file of all orders, even those not in the list. Numbers are unformatted, so that programs can read them. */
export function OrdersFile({ orders }: { orders: readonly Order[] }) {
  const { t } = useWords()
  const [address, setAddress] = useState<string>()
  const text = csvOf([
    [
      t('orders.number'),
      t('orders.reference'),
      t('orders.placedAt'),
      t('orders.payMethod'),
      t('orders.amount'),
      t('orders.fabQty'),
      t('orders.status'),
      t('orders.txId'),
    ],
    ...orders.map((order, index) => [
      String(index + 1),
      order.reference,
      order.createdAt,
      order.payMethod,
      order.exactAmount ?? '',
      order.exactFabQty ?? '',
      t(orderStates[order.status].words),
      order.txId,
    ]),
  ])
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
