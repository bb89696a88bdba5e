import { useState } from 'react'
import { HOUR } from '#contract/durations.ts'
import { resendFailedDeliveries } from '#contract/webhooks.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import styles from './webhooks.module.css'

const ages = [
  { hours: 1, words: 'webhooks.since.1' },
  { hours: 24, words: 'webhooks.since.24' },
  { hours: 168, words: 'webhooks.since.168' },
  { hours: 720, words: 'webhooks.since.720' },
] as const

/** All that failed since a time, at once: for when the endpoint is right again. */
export function ResendFailures({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useWords()
  const [isAsked, setAsked] = useState(false)
  const [hours, setHours] = useState(24)
  const resend = () => {
    const since = new Date(Date.now() - hours * HOUR).toISOString()
    return call(resendFailedDeliveries, { body: { id, since } })
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        {t('webhooks.resendAll')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t('webhooks.resendAllTitle')}
          label={t('webhooks.resendAllDo')}
          step={resend}
          onDone={({ count }) => {
            showNotice(t('webhooks.resendAllDone', { count }), 'success')
            onDone()
          }}
          onClose={() => setAsked(false)}
        >
          <div className={styles.fields}>
            <p>{t('webhooks.resendAllText')}</p>
            <Select
              label={t('webhooks.since')}
              value={hours}
              onChange={({ target }) => setHours(Number(target.value))}
            >
              {ages.map((age) => (
                <option key={age.hours} value={age.hours}>
                  {t(age.words)}
                </option>
              ))}
            </Select>
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}
