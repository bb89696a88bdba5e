import { useState, useEffect, useRef } from 'react'
import { photosMax, getStagedKycPhoto, listStagedKycPhotos } from '#contract/kyc.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput } from '../forms/form-input.tsx'
import { useMessages, FormattedMessage } from '../i18n/messages.tsx'
import { NewTabLink } from '../layout/new-tab-link.tsx'
import { pathTo } from '../routes/routes.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { HandoffPanel } from './handoff/handoff-panel.tsx'
import styles from './kyc.module.css'
import { PhotoField } from './photo-field.tsx'
import { useKycForm, type KycFormOptions } from './use-kyc-form.ts'
import { usePhotos, type Photos } from './use-photos.ts'
import { call } from '../call/call.ts'

const addressInput = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const

type Props = KycFormOptions & { onStale: () => void; onCancel?: () => void }

/** The identity form: to apply, to apply again, or to answer a request for more information. */
export function KycForm({ onStale, onCancel, ...options }: Props) {
  const { t } = useMessages()
  const { asked } = options
  const max = photosMax - (asked?.kept ?? 0)
  const photos = usePhotos(undefined, max)
  usePendingUploads(photos)
  const [isPhotoErrorDue, setIsPhotoErrorDue] = useState(false)
  const kycForm = useKycForm(options, photos)
  const photoError = kycForm.form.formState.errors.photoUrls
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only listens: Enter in a field counts as an attempt to submit
    <div className={styles.form} onKeyDown={(event) => event.key === 'Enter' && setIsPhotoErrorDue(true)}>
      <FormFrame
        of={kycForm}
        submitLabel={t(asked ? 'kyc.answer.submit' : 'kyc.submit')}
        busyLabel={t('kyc.busy')}
        explain={({ code }) =>
          code === 'conflict' && (
            <>
              {t('kyc.conflict')} <TextButton onClick={onStale}>{t('kyc.showState')}</TextButton>
            </>
          )
        }
        beside={
          onCancel && (
            <Button kind="quiet" disabled={kycForm.isSending} onClick={onCancel}>
              {t('forms.cancel')}
            </Button>
          )
        }
      >
        <FormInput of={kycForm} name="firstName" autoComplete="name" help={t('kyc.fullName.help')} />
        <FormInput of={kycForm} name="dateOfBirth" autoComplete="bday" help={t('kyc.fullName.help')} />
        <FormInput of={kycForm} name="email" autoComplete="email" />
        <FormInput of={kycForm} name="country" autoComplete="country-name" />
        <FormInput of={kycForm} name="ethAddress" {...addressInput} help={t('kyc.ethAddress.help')} />
        <FormInput of={kycForm} name="btcAddress" {...addressInput} />
        <PhotoField
          photos={photos}
          max={max}
          isRequired={asked?.needsPhotos ?? true}
          isErrorDue={isPhotoErrorDue}
          onTouched={() => setIsPhotoErrorDue(true)}
          serverError={photoError?.type === 'server' ? photoError.message : undefined}
        >
          <HandoffPanel photos={photos} />
        </PhotoField>
        <PrivacyNote />
      </FormFrame>
    </div>
  )
}

function PrivacyNote() {
  return (
    <p className={styles.privacy}>
      <FormattedMessage
        k="kyc.privacy"
        tags={{ link: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink> }}
      />
    </p>
  )
}

/** Shows pending uploads again after the page was reloaded or left. */
function usePendingUploads(photos: Photos): void {
  const { t } = useMessages()
  const latest = useRef({ photos, t })
  useEffect(() => {
    latest.current = { photos, t }
  })
  useEffect(() => {
    let isLeft = false
    async function bringBack() {
      // Newest first, so that the oldest are left out if others were selected in the meantime.
      const waiting = (await call(listStagedKycPhotos, {})).slice(0, photosMax)
      for (const [n, { id }] of waiting.entries()) {
        const picture = await call(getStagedKycPhoto, { params: { id } }).catch(() => null)
        if (isLeft) return
        if (!picture) continue
        const name = latest.current.t('kyc.photo.waitingName', { number: waiting.length - n })
        const file = new File([picture as Blob], name, { type: 'image/jpeg' })
        if (!latest.current.photos.bringBack(id, file)) return
      }
    }
    // If the request fails, the form starts empty, and pending uploads make room for newly selected photos.
    void latest.current.photos.whileReading(bringBack).catch(() => {})
    return () => {
      isLeft = true
    }
  }, [])
}
