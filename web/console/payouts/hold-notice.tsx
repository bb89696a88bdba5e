import { useState } from 'react'
import type { PayoutHold } from '#contract/money/payouts.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import type { Member } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { ReleaseDialog } from './hold-dialogs.tsx'
import styles from './payouts.module.css'

/** Why no payout is frozen, approved, or exported now. */
export function HoldReason({ hold: { cause, since, openedBy, openedAt, note } }: { hold: PayoutHold }) {
  const { t, language } = useMessages()
  return (
    <>
      <p>
        {cause === 'restored'
          ? t('consolePayouts.hold.restored', { time: formatMoment(since, language) })
          : t('consolePayouts.hold.staff', {
              name: openedBy ? staffName(openedBy.name, language) : t('console.formerColleague'),
              time: formatMoment(openedAt, language),
              since: formatMoment(since, language),
            })}
      </p>
      {note && <p>{t('consolePayouts.hold.note', { note })}</p>}
    </>
  )
}

type Props = { hold: PayoutHold; reader: Member; onReleased: (hold: PayoutHold | null) => void }

/** The hold of all payouts, with the release by two officers. */
export function HoldNotice({ hold, reader, onReleased }: Props) {
  const { t, language } = useMessages()
  const [isReleasing, setReleasing] = useState(false)
  const { firstReleasedBy } = hold
  const isFirst = firstReleasedBy?.id === reader.id
  return (
    <div className={styles.notes}>
      <Message kind="bad">
        <HoldReason hold={hold} />
        <p>{t('consolePayouts.hold.effect')}</p>
        {firstReleasedBy && (
          <p>
            {isFirst
              ? t('consolePayouts.release.own')
              : t('consolePayouts.release.first', { name: staffName(firstReleasedBy.name, language) })}
          </p>
        )}
        {hold.releaseNote && <p>{t('consolePayouts.release.compared', { note: hold.releaseNote })}</p>}
        {levelOf(reader, 'finance') >= 2 && !isFirst && (
          <Button kind="quiet" onClick={() => setReleasing(true)}>
            {t('consolePayouts.release')}
          </Button>
        )}
      </Message>
      {isReleasing && (
        <ReleaseDialog hold={hold} onReleased={onReleased} onClose={() => setReleasing(false)} />
      )}
    </div>
  )
}
