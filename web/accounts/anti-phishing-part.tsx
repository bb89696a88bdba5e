import * as z from 'zod/mini'
import {
  getAntiPhishingPhrase,
  antiPhishingPhrase,
  antiPhishingPhraseLengthMax,
  setAntiPhishingPhrase,
} from '#contract/members.ts'
import { call } from '../call/call.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useMessages } from '../i18n/messages.tsx'
import { showNotice } from '../notices/notices.ts'
import { LoadFailed } from '../actions/load-failed.tsx'
import { useLoaded } from '../actions/use-loaded.ts'
import { Loading } from '../ui/loading.tsx'
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
