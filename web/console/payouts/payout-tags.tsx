import type { PayoutState, PayoutWarning } from '#contract/money/payouts.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { stateLabels, warningLabels } from './payout-labels.ts'
import styles from './payouts.module.css'

export function PayoutStateTag({ state }: { state: PayoutState }) {
  const { t } = useMessages()
  const { words, colour } = stateLabels[state]
  return <Tag colour={colour}>{t(words)}</Tag>
}

export function WarningTags({ warnings }: { warnings: readonly PayoutWarning[] }) {
  const { t } = useMessages()
  if (warnings.length === 0) return null
  return (
    <ul className={styles.tags}>
      {warnings.map((warning) => (
        <li key={warning}>
          <Tag colour="yellow">{t(warningLabels[warning])}</Tag>
        </li>
      ))}
    </ul>
  )
}
