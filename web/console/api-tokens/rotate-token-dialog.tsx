import { useState } from 'react'
import { rotateApiToken, tokenOverlapHours, type ApiToken } from '#contract/api-tokens.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import styles from './api-tokens.module.css'
import { TokenSecret } from './token-secret.tsx'

type Hours = (typeof tokenOverlapHours)[number]
const overlaps = {
  0: 'tokens.overlap.0',
  1: 'tokens.overlap.1',
  24: 'tokens.overlap.24',
  168: 'tokens.overlap.168',
} as const satisfies Record<Hours, PlainKey>
const newDays = [30, 90, 180] as const

/** A new secret, and how long the old one serves beside it. */
export function RotateTokenDialog({
  token,
  onClose,
}: {
  token: ApiToken
  onClose: (hasRotated: boolean) => void
}) {
  const { t, formatDateTime } = useWords()
  const [overlapHours, setOverlap] = useState<Hours>(24)
  const [days, setDays] = useState(0)
  const [secret, setSecret] = useState<string>()
  const { isBusy, error, run } = useAction()
  const rotate = () =>
    void run(async () => {
      const body = { overlapHours, ...(days > 0 && { days }) }
      setSecret((await call(rotateApiToken, { params: { id: token.id }, body })).secret)
    })
  if (secret !== undefined)
    return (
      <Dialog
        isOpen
        onClose={() => {}}
        title={t('tokens.rotate.made', { name: token.name })}
        actions={<Button onClick={() => onClose(true)}>{t('tokens.secret.done')}</Button>}
      >
        <TokenSecret
          secret={secret}
          note={t(overlapHours === 0 ? 'tokens.rotate.over' : 'tokens.rotate.overlapping')}
        />
      </Dialog>
    )
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      title={t('tokens.rotate.title', { name: token.name })}
      actions={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={() => onClose(false)}>
            {t('forms.cancel')}
          </Button>
          <Button busy={isBusy} onClick={rotate}>
            {t('tokens.rotate.go')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <p>{t('tokens.rotate.text')}</p>
        <Select
          label={t('tokens.overlap')}
          help={t('tokens.overlap.help')}
          value={overlapHours}
          onChange={({ target }) => setOverlap(Number(target.value) as Hours)}
        >
          {tokenOverlapHours.map((hours) => (
            <option key={hours} value={hours}>
              {t(overlaps[hours])}
            </option>
          ))}
        </Select>
        <Select
          label={t('tokens.expires')}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          <option value={0}>{t('tokens.rotate.keep', { time: formatDateTime(token.expiresAt) })}</option>
          {newDays.map((count) => (
            <option key={count} value={count}>
              {t('tokens.days.fromNow', { count })}
            </option>
          ))}
        </Select>
      </div>
      <FormStatus error={error} />
    </Dialog>
  )
}
