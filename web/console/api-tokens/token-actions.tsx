import { useState } from 'react'
import { revokeApiToken, type ApiToken } from '#contract/api-tokens.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { TextButton } from '../../ui/button.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import styles from './api-tokens.module.css'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'
import { TokenSecret } from './token-secret.tsx'

type Props = { token: ApiToken; reload: () => void }

/** Only the owner can create a new secret; the owner and administrators can revoke the token. */
export function TokenActions({ token, reload }: Props) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'rotate' | 'revoke'>()
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
      <Rotation isOpen={openDialog === 'rotate'} token={token} reload={reload} onClose={close} />
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

/** Asks when the old secret expires, then shows the new one. */
function Rotation({ isOpen, token, reload, onClose }: Props & { isOpen: boolean; onClose: () => void }) {
  const { t } = useMessages()
  const [rotated, setRotated] = useState<{ secret: string; isOldOver: boolean }>()
  const close = () => {
    setRotated(undefined)
    reload()
  }
  if (rotated)
    return (
      <TokenSecret
        title={t('tokens.rotate.made', { name: token.name })}
        secret={rotated.secret}
        note={t(rotated.isOldOver ? 'tokens.rotate.over' : 'tokens.rotate.overlapping')}
        onClose={close}
      />
    )
  return isOpen && <RotateTokenDialog token={token} onDone={setRotated} onClose={onClose} />
}
