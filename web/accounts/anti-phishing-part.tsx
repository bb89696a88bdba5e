import * as z from 'zod/mini'
import {
  getAntiPhishingPhrase,
  antiPhishingPhrase,
  antiPhishingPhraseLengthMax,
  setAntiPhishingPhrase,
} from '#contract/people/members.ts'
import { call } from '../kernel/call/call.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { Loading } from '../kernel/ui/loading.tsx'
import styles from '../privacy/privacy.module.css'

const phraseBody = z.object({ phrase: antiPhishingPhrase })

/** The anti-phishing phrase, which every email quotes so that members can recognize forged ones. */
export function AntiPhishingPart() {
  const { t } = useMessages()
  const loaded = useLoaded('phrase', () => call(getAntiPhishingPhrase, {}))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('account.phrase.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  return <PhraseForm saved={loaded.data.phrase} />
}

function PhraseForm({ saved }: { saved: string }) {
  const { t } = useMessages()
  const phraseForm = useContractForm({
    schema: phraseBody,
    labels: { phrase: 'account.phrase.label' },
    defaultValues: { phrase: saved },
    submit: async (body) => {
      const kept = await call(setAntiPhishingPhrase, { body })
      showNotice(t(kept.phrase === '' ? 'account.phrase.removed' : 'account.phrase.saved'), 'success')
      phraseForm.form.reset(kept)
    },
  })
  return (
    <div className={styles.narrow}>
      <FormFrame
        of={phraseForm}
        submitLabel={t('account.phrase.save')}
        busyLabel={t('forms.saving')}
        submitKind="quiet"
      >
        <FormInput
          of={phraseForm}
          name="phrase"
          autoComplete="off"
          help={t('account.phrase.help', { max: antiPhishingPhraseLengthMax })}
        />
      </FormFrame>
    </div>
  )
}
