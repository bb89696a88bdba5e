import * as z from 'zod/mini'
import { currentPassword } from '#contract/platform/fields.ts'
import { eraseMember, previewErasure, type RetainedData } from '#contract/people/privacy.ts'
import { call, type CallFailed } from '../kernel/call/call.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormCheckbox, FormPassword } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { Button } from '../kernel/ui/button.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { ErasureLists } from './erasure-lists.tsx'
import styles from './privacy.module.css'

const erasure = z.object({ current: currentPassword, understood: z.literal(true, 'required') })

type FormProps = { email: string; onErased: (kept: RetainedData) => void; onCancel: () => void }

/** Shows what an erasure deletes and keeps, with the form that confirms it. */
export function Erasure(props: FormProps) {
  const { t } = useMessages()
  const loaded = useLoaded('erasure', () => call(previewErasure, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('account.erase.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  return (
    <div className={styles.part}>
      <ErasureLists erased={loaded.data.erased} retainedData={loaded.data.kept} />
      {loaded.data.isLastAdmin ? (
        <Message kind="note" role="status">
          <p>{t('account.erase.lastAdmin')}</p>
        </Message>
      ) : (
        <ErasureForm {...props} />
      )}
    </div>
  )
}

function ErasureForm({ email, onErased, onCancel }: FormProps) {
  const { t } = useMessages()
  const erasureForm = useContractForm({
    schema: erasure,
    labels: { current: 'account.erase.password', understood: 'account.erase.understood' },
    submit: async ({ current }) => onErased((await call(eraseMember, { body: { current } })).kept),
  })
  const explain = (failure: CallFailed) =>
    failure.code === 'credentials_invalid' ? t('account.erase.wrong') : undefined
  return (
    <div className={styles.narrow}>
      <FormFrame
        of={erasureForm}
        submitLabel={t('account.erase.submit')}
        busyLabel={t('account.erase.busy')}
        submitKind="danger"
        explain={explain}
        beside={
          <Button kind="quiet" disabled={erasureForm.isSending} onClick={onCancel}>
            {t('forms.cancel')}
          </Button>
        }
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FormPassword of={erasureForm} name="current" autoComplete="current-password" />
        <FormCheckbox of={erasureForm} name="understood" />
      </FormFrame>
    </div>
  )
}
