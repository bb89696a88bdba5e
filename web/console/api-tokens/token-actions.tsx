import { useState } from 'react'
import { revokeApiToken, type ApiToken } from '#contract/api-tokens.ts'
import { call } from '../../call/call.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { TextButton } from '../../ui/button.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import styles from './api-tokens.module.css'
import { RotateTokenDialog } from './rotate-token-dialog.tsx'
import { isAlive } from './token-words.ts'

/** A new secret is for who made it; ending it, for them and for administrators. */
export function TokenActions({ token, reload }: { token: ApiToken; reload: () => void }) {
  const { t } = useWords()
  const [asked, setAsked] = useState<'rotate' | 'revoke'>()
  const close = () => setAsked(undefined)
  const { name } = token
  if (token.state === 'revoked' || token.state === 'expired') return null
  return (
    <div className={styles.actions}>
      {token.isOwn && isAlive(token) && (
        <TextButton aria-label={t('tokens.rotate.of', { name })} onClick={() => setAsked('rotate')}>
          {t('tokens.rotate')}
        </TextButton>
      )}
      <TextButton aria-label={t('tokens.revoke.of', { name })} onClick={() => setAsked('revoke')}>
        {t('tokens.revoke')}
      </TextButton>
      {asked === 'rotate' && (
        <RotateTokenDialog
          token={token}
          onClose={(hasRotated) => {
            close()
            if (hasRotated) reload()
          }}
        />
      )}
      {asked === 'revoke' && (
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
          step={(reason) => call(revokeApiToken, { params: { id: token.id }, body: { reason } })}
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
