import { beginPasskey, finishPasskey, passkeysMax, type Passkey } from '#contract/passkeys.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { makePasskey } from '../passkeys/passkey-browser.ts'
import { PasskeyRow } from './passkey-row.tsx'
import styles from './security.module.css'

/** The member's passkeys: add one on this device, rename, and remove them. */
export function PasskeysPart({
  passkeys,
  isOnlyFactor,
  onAdded,
  onChanged,
  onRemoved,
}: {
  passkeys: readonly Passkey[]
  /** Whether the account has no factor of another kind. */
  isOnlyFactor: boolean
  onAdded: (recoveryCodes: string[] | null) => void
  onChanged: (passkey: Passkey) => void
  onRemoved: () => void
}) {
  const { t } = useMessages()
  async function add() {
    const credential = await makePasskey(await call(beginPasskey, { body: {} }))
    const { recoveryCodes } = await call(finishPasskey, { body: { credential } })
    showNotice(t('security.passkeys.added'), 'success')
    onAdded(recoveryCodes)
  }
  return (
    <>
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isLastFactor={isOnlyFactor && passkeys.length === 1}
              onRenamed={onChanged}
              onRemoved={() => {
                showNotice(t('security.passkeys.removed'), 'success')
                onRemoved()
              }}
            />
          ))}
        </ul>
      )}
      {passkeys.length < passkeysMax ? (
        <PasskeyButton kind={passkeys.length === 0 ? 'primary' : 'quiet'} run={add}>
          {t('security.passkeys.add')}
        </PasskeyButton>
      ) : (
        <p>{t('security.passkeys.full', { max: passkeysMax })}</p>
      )}
    </>
  )
}
