import { useState } from 'react'
import { holdPayouts, resumePayouts, type PayoutHold } from '#contract/money/payouts.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { TextField } from '../../kernel/ui/field.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'

type Changed = (hold: PayoutHold | null) => void

/** Now in the reader's time zone, as a date and time field takes it. */
const localNow = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16)
}

/** Stops all payouts at once, for example after a recovery that the program can't notice. */
export function HoldDialog({ onHeld, onClose }: { onHeld: Changed; onClose: () => void }) {
  const { t } = useMessages()
  const [since, setSince] = useState(localNow)
  const [problem, setProblem] = useState<string>()
  const at = new Date(since)
  const isMissing = Number.isNaN(at.getTime())
  return (
    <ReasonDialog
      title={t('consolePayouts.hold.title')}
      label={t('consolePayouts.hold.confirm')}
      kind="danger"
      text={t('consolePayouts.hold.text')}
      reason={{
        label: t('consolePayouts.reason'),
        help: t('consolePayouts.hold.reason.help'),
        schema: holdPayouts.body.shape.note,
      }}
      step={(note) => {
        setProblem(isMissing ? t('field.required') : undefined)
        return isMissing ? null : call(holdPayouts, { body: { since: at.toISOString(), note } })
      }}
      onDone={({ hold }) => {
        showNotice(t('consolePayouts.hold.done'), 'success')
        onHeld(hold)
      }}
      onFailure={(failure) => {
        const found = failure instanceof CallFailed && failure.errors.find(({ path }) => path === 'since')
        if (found) setProblem(found.message)
        return Boolean(found)
      }}
      onClose={onClose}
    >
      <TextField
        label={t('consolePayouts.hold.since')}
        help={t('consolePayouts.hold.since.help')}
        type="datetime-local"
        error={problem}
        value={since}
        onChange={({ target }) => setSince(target.value)}
      />
    </ReasonDialog>
  )
}

type ReleaseProps = { hold: PayoutHold; onReleased: Changed; onClose: () => void }

/** Releases the hold as the first or the second officer. */
export function ReleaseDialog({ hold: { firstReleasedBy }, onReleased, onClose }: ReleaseProps) {
  const { t, language } = useMessages()
  return (
    <ReasonDialog
      title={t('consolePayouts.release.title')}
      label={t(firstReleasedBy ? 'consolePayouts.release.confirm' : 'consolePayouts.release.propose')}
      text={t('consolePayouts.release.text')}
      reason={{
        label: t('consolePayouts.release.note'),
        help: t('consolePayouts.release.note.help'),
        schema: resumePayouts.body.shape.note,
      }}
      step={(note) => call(resumePayouts, { body: { note } })}
      onDone={({ hold }) => {
        showNotice(t(hold ? 'consolePayouts.release.proposed' : 'consolePayouts.release.done'), 'success')
        onReleased(hold)
      }}
      onClose={onClose}
    >
      <p>
        {firstReleasedBy
          ? t('consolePayouts.release.first', { name: staffName(firstReleasedBy.name, language) })
          : t('consolePayouts.release.needsTwo')}
      </p>
    </ReasonDialog>
  )
}
