import { useState } from 'react'
import { rotateApiToken, tokenOverlapHours, type ApiToken } from '#contract/api-tokens.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { Select } from '../../ui/field.tsx'
import styles from './api-tokens.module.css'

type Hours = (typeof tokenOverlapHours)[number]
const newDays = [30, 90, 180] as const

type Props = {
  token: ApiToken
  onDone: (rotated: { secret: string; isOldOver: boolean }) => void
  onClose: () => void
}

/** Creates a new secret, and sets how long the old one stays valid. */
export function RotateTokenDialog({ token, onDone, onClose }: Props) {
  const { t, formatDateTime } = useMessages()
  const [overlapHours, setOverlap] = useState<Hours>(24)
  const [days, setDays] = useState(0)
  const rotate = () =>
    call(rotateApiToken, { params: { id: token.id }, body: { overlapHours, ...(days > 0 && { days }) } })
  return (
    <ConfirmDialog
      title={t('tokens.rotate.title', { name: token.name })}
      label={t('tokens.rotate.go')}
      step={rotate}
      onDone={({ secret }) => onDone({ secret, isOldOver: overlapHours === 0 })}
      onClose={onClose}
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
              {t(`tokens.overlap.${hours}`)}
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
    </ConfirmDialog>
  )
}
