import { useState } from 'react'
import type { Delivery, OrderDeliveries } from '#contract/money/deliveries.ts'
import { parseDecimal } from '#contract/platform/decimal.ts'
import { formatDecimal } from '../../kernel/i18n/format-decimal.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { OnExplorer } from '../chain/explorer-link.tsx'
import { deliveryColors, holdKey, isOpen } from './delivery-labels.ts'
import { DeliveryPicture } from './delivery-picture.tsx'
import { nearestOf, standingOf } from './own-deliveries.ts'
import styles from './delivery.module.css'

type Props = { of: OrderDeliveries; completedAt: string | null }

/** The deliveries of an order with several: sums, a picture, and a table. */
export function DeliveryParts({ of, completedAt }: Props) {
  const { t } = useMessages()
  const standing = standingOf(of.deliveries)
  const shared = sharedHoldOf(of)
  return (
    <div className={styles.parts}>
      <Sums of={of} />
      <DeliveryPicture deliveries={standing} sums={of} completedAt={completedAt} />
      {shared && <p className={styles.note}>{t(shared)}</p>}
      <PartsTable of={of} isHoldShown={shared === null} />
    </div>
  )
}

function Sums({ of: { bought, delivered, dueNext, locked } }: { of: OrderDeliveries }) {
  const { t, language, formatDate } = useMessages()
  const tokens = (quantity: string) =>
    t('deliveries.quantity', { quantity: formatDecimal(quantity, language) })
  const facts = [
    [
      'delivered',
      t('deliveries.sum.of', {
        delivered: formatDecimal(delivered, language),
        bought: formatDecimal(bought, language),
      }),
    ],
    [
      'next',
      dueNext &&
        t('deliveries.sum.on', {
          quantity: formatDecimal(dueNext.amount, language),
          date: formatDate(dueNext.dueAt),
        }),
    ],
    ['locked', parseDecimal(locked) > 0n && tokens(locked)],
  ] as const
  return (
    <Facts
      facts={facts.flatMap(([name, value]) =>
        value ? [{ name, label: t(`deliveries.sum.${name}`), value }] : [],
      )}
    />
  )
}

/** The reason that all open deliveries wait for, said once. */
function sharedHoldOf({ deliveries, addressUsableFrom }: OrderDeliveries): PlainKey | null {
  const open = deliveries.filter(isOpen)
  const [first] = open
  if (!first || (addressUsableFrom !== null && first.hold === 'address_new')) return null
  return open.every(({ hold }) => hold === first.hold) ? holdKey(first) : null
}

/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS displays rows as a grid, browsers drop the table semantics */

/** With many rows, only those near the next delivery are shown at first. */
function PartsTable({ of, isHoldShown }: { of: OrderDeliveries; isHoldShown: boolean }) {
  const { t } = useMessages()
  const [isWhole, setWhole] = useState(false)
  const { deliveries } = of
  const { first, end } = nearestOf(deliveries)
  const isCut = !isWhole && end - first < deliveries.length
  return (
    <>
      <table className={styles.table} role="table">
        <caption>{t('deliveries.caption')}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t('deliveries.due')}
            </th>
            <th scope="col" role="columnheader" className={styles.figure}>
              {t('deliveries.amount')}
            </th>
            <th scope="col" role="columnheader">
              {t('deliveries.state')}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {deliveries.map((delivery, index) => (
            <Row
              key={delivery.id}
              of={delivery}
              explorer={of.explorer}
              isNear={!isCut || (index >= first && index < end)}
              isHoldShown={isHoldShown && !(of.addressUsableFrom !== null && delivery.hold === 'address_new')}
            />
          ))}
        </tbody>
      </table>
      {isCut && (
        <p className={styles.onScreen}>
          <Button kind="quiet" onClick={() => setWhole(true)}>
            {t('deliveries.all', { count: deliveries.length })}
          </Button>
        </p>
      )}
    </>
  )
}

type RowProps = { of: Delivery; explorer: string | null; isNear: boolean; isHoldShown: boolean }

function Row({ of, explorer, isNear, isHoldShown }: RowProps) {
  const { t, language, formatDate } = useMessages()
  const hold = isHoldShown ? holdKey(of) : null
  const near = isNear ? undefined : styles.far
  return (
    <>
      <tr className={near} role="row" data-state={of.state}>
        <th scope="row" role="rowheader">
          <time dateTime={of.dueAt}>{formatDate(of.dueAt)}</time>
        </th>
        <td className={styles.figure} role="cell">
          {t('deliveries.quantity', { quantity: formatDecimal(of.amount, language) })}
        </td>
        <td role="cell">
          <Tag colour={deliveryColors[of.state]}>{t(`deliveries.state.${of.state}`)}</Tag>
        </td>
      </tr>
      {(hold || of.txId) && (
        <tr className={near} role="row" data-more>
          <td colSpan={3} role="cell">
            {hold && <p>{t(hold)}</p>}
            {of.txId && (
              <p className={styles.code}>
                {t('deliveries.txId')}{' '}
                <OnExplorer explorer={explorer} kind="tx" isShort>
                  {of.txId}
                </OnExplorer>
              </p>
            )}
          </td>
        </tr>
      )}
    </>
  )
}
