import { useState } from 'react'
import * as z from 'zod/mini'
import { createKyc, defaultEventId, type KycApplication } from '#contract/kyc.ts'
import { addressLengthMax } from '#contract/orders.ts'
import { call, type CallFailed } from '../call.ts'
import { addressOn, requiredAddressOn } from '../forms/chain-address.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useWords, Words } from '../i18n/words.tsx'
import { pathTo } from '../routes.ts'
import { Button, TextButton } from '../ui/button.tsx'
import styles from './kyc.module.css'
import { PhotoField } from './photo-field.tsx'
import type { Photo } from './read-photos.ts'

const { firstName, email, country, photoUrls } = createKyc.body.shape
const kyc = z.object({
  firstName,
  email,
  country,
  ethAddress: requiredAddressOn('ethereum'),
  btcAddress: addressOn('bitcoin'),
  photoUrls,
})

/** The identity form. `before` is an application that asks for another one; its entries are a start. */
export function KycForm({
  email: memberEmail,
  before,
  onHandedIn,
  onStale,
  onCancel,
}: {
  email: string
  before?: KycApplication | undefined
  onHandedIn: (application: KycApplication) => void
  onStale: () => void
  onCancel?: () => void
}) {
  const { t } = useWords()
  const [photos, setPhotos] = useState<Photo[]>([])
  const [isPhotoErrorDue, setIsPhotoErrorDue] = useState(false)
  const kycForm = useContractForm({
    schema: kyc,
    labels: {
      firstName: 'kyc.fullName',
      email: 'forms.email.label',
      country: 'kyc.country',
      ethAddress: 'kyc.ethAddress',
      btcAddress: 'kyc.btcAddress',
      photoUrls: 'kyc.photos',
    },
    defaultValues: {
      firstName: before?.firstName ?? '',
      email: before?.email ?? memberEmail,
      country: before?.country ?? '',
      ethAddress: before?.ethAddress ?? '',
      btcAddress: before?.btcAddress ?? '',
      photoUrls: [],
    },
    submit: async (given) =>
      onHandedIn(await call(createKyc, { body: { ...given, eventId: defaultEventId } })),
  })
  const { form } = kycForm
  function choose(chosen: Photo[]) {
    setPhotos(chosen)
    form.clearErrors('photoUrls')
    form.setValue(
      'photoUrls',
      chosen.map((photo) => photo.dataUrl),
      { shouldDirty: true },
    )
  }
  const explain = (failure: CallFailed) =>
    failure.code === 'conflict' && (
      <>
        {t('kyc.conflict')} <TextButton onClick={onStale}>{t('kyc.showState')}</TextButton>
      </>
    )
  const photoError = form.formState.errors.photoUrls
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only listens: Enter in a field is a try to send
    <div className={styles.form} onKeyDown={(event) => event.key === 'Enter' && setIsPhotoErrorDue(true)}>
      <FormFrame
        of={kycForm}
        submitLabel={t('kyc.submit')}
        busyLabel={t('kyc.busy')}
        explain={explain}
        beside={
          onCancel && (
            <Button kind="quiet" disabled={kycForm.isSending} onClick={onCancel}>
              {t('forms.cancel')}
            </Button>
          )
        }
      >
        <FormInput
          of={kycForm}
          name="firstName"
          autoComplete="name"
          help={t('kyc.fullName.help')}
          limits={{ max: 200 }}
        />
        <FormInput of={kycForm} name="email" type="email" autoComplete="email" />
        <FormInput of={kycForm} name="country" autoComplete="country-name" isOptional />
        <FormInput
          of={kycForm}
          name="ethAddress"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          limits={{ max: addressLengthMax }}
          help={t('kyc.ethAddress.help')}
        />
        <FormInput
          of={kycForm}
          name="btcAddress"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          limits={{ max: addressLengthMax }}
          isOptional
        />
        <PhotoField
          photos={photos}
          onChange={choose}
          isErrorDue={isPhotoErrorDue}
          onTouched={() => setIsPhotoErrorDue(true)}
          serverError={photoError?.type === 'server' ? photoError.message : undefined}
        />
        <p className={styles.privacy}>
          <Words k="kyc.privacy" tags={{ link: (words) => <a href={pathTo('legal.privacy')}>{words}</a> }} />
        </p>
      </FormFrame>
    </div>
  )
}
