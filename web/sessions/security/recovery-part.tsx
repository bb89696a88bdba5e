import { renewRecoveryCodes } from '#contract/sessions.ts'
import { call } from '../../call/call.ts'
import { useAction } from '../../actions/use-action.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './security.module.css'

const few = 3

/** The number of recovery codes left, and a button that replaces them with ten new ones. */
export function RecoveryPart({
  left,
  onRenewed,
}: {
  left: number
  onRenewed: (recoveryCodes: string[]) => void
}) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  const renew = () => run(async () => onRenewed((await call(renewRecoveryCodes, { body: {} })).recoveryCodes))
  return (
    <>
      {left <= few && <p>{t('security.recovery.few')}</p>}
      <div className={styles.state}>
        <Tag colour={left > few ? 'verdigris' : 'yellow'}>{t('security.recovery.left', { count: left })}</Tag>
        <Button kind="quiet" busy={isBusy} onClick={() => void renew()}>
          {t('security.recovery.renew')}
        </Button>
        <FormStatus error={error} />
      </div>
    </>
  )
}
