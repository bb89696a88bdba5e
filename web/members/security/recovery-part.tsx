import { useState } from 'react'
import { renewRecoveryCodes } from '#contract/sessions.ts'
import { call } from '../../call/call.ts'
import { failureWords } from '../../actions/failure-words.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './security.module.css'

const few = 3

/** How many recovery codes are left, and ten new ones in their place. */
export function RecoveryPart({
  left,
  onRenewed,
}: {
  left: number
  onRenewed: (recoveryCodes: string[]) => void
}) {
  const { t } = useWords()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  async function renew() {
    setIsBusy(true)
    setFailure(undefined)
    try {
      onRenewed((await call(renewRecoveryCodes, { body: {} })).recoveryCodes)
    } catch (cause) {
      setFailure(cause)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      {left <= few && <p>{t('security.recovery.few')}</p>}
      <div className={styles.state}>
        <Tag colour={left > few ? 'verdigris' : 'yellow'}>{t('security.recovery.left', { count: left })}</Tag>
        <Button kind="quiet" busy={isBusy} onClick={() => void renew()}>
          {t('security.recovery.renew')}
        </Button>
        <FormStatus error={failure === undefined ? undefined : failureWords(t, failure)} />
      </div>
    </>
  )
}
