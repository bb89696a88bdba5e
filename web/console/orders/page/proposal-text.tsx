import type { ReactNode } from 'react'
import type { ConsoleOrderDetail } from '#contract/console-orders.ts'
import { useMessages } from '../../../i18n/messages.tsx'

type Props = { proposal: NonNullable<ConsoleOrderDetail['proposal']>; children?: ReactNode }

/** Who proposed what, and why. */
export function ProposalText({ proposal, children }: Props) {
  const { t, formatMoment } = useMessages()
  const { by, at, reason, correction } = proposal
  return (
    <>
      <p>
        {t(correction ? 'consoleOrders.proposal.correction' : 'consoleOrders.proposal', {
          name: by.name,
          time: formatMoment(at),
        })}{' '}
        {children}
      </p>
      {reason && <p>{t('consoleOrders.proposal.reason', { reason })}</p>}
    </>
  )
}
