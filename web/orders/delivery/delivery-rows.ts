import type { OwnDelivery } from '#contract/money/deliveries.ts'
import type { UsedMessages } from '../../kernel/i18n/messages.tsx'

/** Lines for a file, the last due first. Amounts and times are unformatted, so that programs can read them. */
export const deliveryRowsOf = (deliveries: readonly OwnDelivery[], t: UsedMessages['t']): string[][] => [
  [
    t('deliveries.csv.reference'),
    t('orders.reference'),
    t('deliveries.csv.part'),
    t('deliveries.due'),
    t('orders.fabQty'),
    t('deliveries.state'),
    t('deliveries.address'),
    t('deliveries.txId'),
    t('deliveries.csv.sent'),
    t('deliveries.csv.confirmed'),
  ],
  ...deliveries.map((each) => [
    each.reference,
    each.orderReference,
    String(each.tranche),
    each.dueAt,
    each.amount,
    t(`deliveries.state.${each.state}`),
    each.address,
    each.txId,
    each.sentAt ?? '',
    each.confirmedAt ?? '',
  ]),
]
