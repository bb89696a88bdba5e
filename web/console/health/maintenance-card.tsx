import { useState } from 'react'
import { setMaintenance, type Maintenance } from '#contract/console/maintenance.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './health.module.css'

type Changed = (maintenance: Maintenance | null) => void

/** Shows whether maintenance is on, and switches it. */
export function MaintenanceCard({
  maintenance,
  onChanged,
}: {
  maintenance: Maintenance | null
  onChanged: Changed
}) {
  const { t } = useMessages()
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, error, run } = useAction()
  const turnOff = async () => {
    const changed = await call(setMaintenance, { body: { isOn: false } })
    showNotice(t('health.maintenance.ended'), 'success')
    onChanged(changed.maintenance)
  }
  return (
    <section className={`${styles.check} ${styles.maintenance}`} aria-labelledby="health-maintenance">
      <header>
        <h2 id="health-maintenance">{t('health.maintenance')}</h2>
        <Tag colour={maintenance ? 'yellow' : 'quiet'}>
          {t(maintenance ? 'health.maintenance.on' : 'health.maintenance.off')}
        </Tag>
      </header>
      {maintenance ? <About maintenance={maintenance} /> : <p>{t('health.maintenance.help')}</p>}
      {maintenance ? (
        <Button busy={isBusy} onClick={() => void run(turnOff)}>
          {t('health.maintenance.turnOff')}
        </Button>
      ) : (
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          {t('health.maintenance.turnOn')}
        </Button>
      )}
      <FormStatus error={error} />
      {isAsking && <StartDialog onStarted={onChanged} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

function About({ maintenance: { since, until, by } }: { maintenance: Maintenance }) {
  const { t, language } = useMessages()
  const time = formatMoment(since, language)
  return (
    <>
      <p>
        {by
          ? t('health.maintenance.since', { time, name: staffName(by, language) })
          : t('health.maintenance.sinceCommand', { time })}
      </p>
      {until && <p>{t('health.maintenance.expected', { time: formatMoment(until, language) })}</p>}
    </>
  )
}

/** The end is typed in the reader's time zone. */
function StartDialog({ onStarted, onClose }: { onStarted: Changed; onClose: () => void }) {
  const { t } = useMessages()
  const [until, setUntil] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <ConfirmDialog
      title={t('health.maintenance.title')}
      label={t('health.maintenance.confirm')}
      step={() => {
        setProblem(undefined)
        return call(setMaintenance, {
          body: { isOn: true, until: until === '' ? null : new Date(until).toISOString() },
        })
      }}
      onDone={({ maintenance }) => {
        showNotice(t('health.maintenance.started'), 'success')
        onStarted(maintenance)
      }}
      onFailure={(failure) => {
        const found = failure instanceof CallFailed && failure.errors.find(({ path }) => path === 'until')
        if (found) setProblem(found.message)
        return Boolean(found)
      }}
      onClose={onClose}
    >
      <p>{t('health.maintenance.text')}</p>
      <TextField
        label={t('health.maintenance.until')}
        help={t('health.maintenance.until.help')}
        type="datetime-local"
        error={problem}
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
    </ConfirmDialog>
  )
}
