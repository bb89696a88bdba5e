import { useState } from 'react'
import { revokeApiToken, rotateApiToken, tokenOverlapHours, type ApiToken } from '#contract/api-tokens.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { TextButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import styles from './api-tokens.module.css'
import { TokenSecret } from './token-secret.tsx'

type Props = { token: ApiToken; reload: () => void }
type Rotated = { secret: string; isOldOver: boolean }

/** Only the owner can create a new secret; the owner and administrators can revoke the token. */
export function TokenActions({ token, reload }: Props) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'rotate' | 'revoke'>()
  const [rotated, setRotated] = useState<Rotated>()
  const close = () => setOpenDialog(undefined)
  const { id, name, state, isOwn } = token
  if (state === 'revoked' || state === 'expired') return null
  return (
    <div className={styles.actions}>
      {isOwn && state !== 'dead' && (
        <TextButton aria-label={t('tokens.rotate.of', { name })} onClick={() => setOpenDialog('rotate')}>
          {t('tokens.rotate')}
        </TextButton>
      )}
      <TextButton aria-label={t('tokens.revoke.of', { name })} onClick={() => setOpenDialog('revoke')}>
        {t('tokens.revoke')}
      </TextButton>
      {openDialog === 'rotate' && <RotationDialog token={token} onRotated={setRotated} onClose={close} />}
      {rotated && (
        <TokenSecret
          title={t('tokens.rotate.made', { name })}
          secret={rotated.secret}
          note={t(rotated.isOldOver ? 'tokens.rotate.over' : 'tokens.rotate.overlapping')}
          onClose={() => {
            setRotated(undefined)
            reload()
          }}
        />
      )}
      {openDialog === 'revoke' && (
        <ReasonDialog
          title={t('tokens.revoke.title', { name })}
          label={t('tokens.revoke.go')}
          kind="danger"
          text={t('tokens.revoke.text')}
          reason={{
            label: t('tokens.revoke.reason'),
            help: t('tokens.revoke.reason.help'),
            schema: revokeApiToken.body.shape.reason,
          }}
          step={(reason) => call(revokeApiToken, { params: { id }, body: { reason } })}
          onDone={() => {
            showNotice(t('tokens.revoke.done', { name }), 'success')
            reload()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

type Hours = (typeof tokenOverlapHours)[number]
const newDays = [30, 90, 180] as const

type RotationProps = { token: ApiToken; onRotated: (rotated: Rotated) => void; onClose: () => void }

/** Creates a new secret, and sets how long the old one stays valid. */
function RotationDialog({ token, onRotated, onClose }: RotationProps) {
  const { t, formatDate } = useMessages()
  const [overlapHours, setOverlap] = useState<Hours>(24)
  const [days, setDays] = useState(0)
  const rotate = () =>
    call(rotateApiToken, { params: { id: token.id }, body: { overlapHours, ...(days > 0 && { days }) } })
  return (
    <ConfirmDialog
      title={t('tokens.rotate.title', { name: token.name })}
      label={t('tokens.rotate.go')}
      step={rotate}
      onDone={({ secret }) => onRotated({ secret, isOldOver: overlapHours === 0 })}
      onClose={onClose}
    >
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
        <option value={0}>{t('tokens.rotate.keep', { date: formatDate(token.expiresAt) })}</option>
        {newDays.map((count) => (
          <option key={count} value={count}>
            {t('tokens.days.fromNow', { count })}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  )
}
