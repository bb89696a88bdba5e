import { useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { ageOn } from '#contract/age-on.ts'
import { birthDate } from '#contract/fields.ts'
import {
  createKyc,
  defaultEventId,
  photosMax,
  readKycRequirements,
  stagedPrefix,
  updateKyc,
  type KycApplication,
} from '#contract/kyc.ts'
import { useLoaded } from '../actions/use-loaded.ts'
import { call, CallFailed } from '../call/call.ts'
import { addressOn, requiredAddressOn } from '../forms/chain-address.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useMessages, FormattedMessage } from '../i18n/messages.tsx'
import { NewTabLink } from '../layout/new-tab-link.tsx'
import { pathTo } from '../routes/routes.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { kycDraft } from './draft.ts'
import { HandoffPanel } from './handoff/handoff-panel.tsx'
import styles from './kyc.module.css'
import { PhotoField } from './photo-field.tsx'
import { namesOf } from './photos.ts'
import { usePhotos, type Photos } from './use-photos.ts'
import { usePendingUploads } from './use-pending-uploads.ts'

const { firstName, email, country, photoUrls } = createKyc.body.shape
const kyc = z.object({
  firstName,
  dateOfBirth: birthDate,
  email,
  country,
  ethAddress: requiredAddressOn('ethereum'),
  btcAddress: addressOn('bitcoin'),
  photoUrls,
})

const withoutPhotos = z.object({ ...kyc.shape, photoUrls: z.array(photoUrls._zod.def.element) })

const today = () => new Date().toISOString().slice(0, 10)

/** Applies the server's age check before any photo is sent. An invalid date has an error of its own. */
function withAge<Schema extends typeof kyc | typeof withoutPhotos>(schema: Schema, ageMin: number) {
  const dateOfBirth = birthDate.check(({ value, issues }) => {
    if (birthDate.safeParse(value).success && ageOn(value, today()) < ageMin)
      issues.push({ code: 'custom', message: `too_young ${ageMin}`, input: value })
  })
  return z.object({ ...schema.shape, dateOfBirth }) as Schema
}

/** The identity form. `before` is an application that must be repeated; its entries are the initial values. */
export type Asked = {
  id: string
  /** Number of accepted photos that stay. */
  kept: number
  needsPhotos: boolean
}

export function KycForm({
  memberId,
  email: memberEmail,
  before,
  asked,
  onHandedIn,
  onStale,
  onCancel,
}: {
  memberId: string
  email: string
  before?: KycApplication | undefined
  /** Set if the form answers a request for more information in the same application. */
  asked?: Asked
  onHandedIn: (application: KycApplication) => void
  onStale: () => void
  onCancel?: () => void
}) {
  const { t } = useMessages()
  const max = photosMax - (asked?.kept ?? 0)
  const photos = usePhotos(undefined, max)
  usePendingUploads(photos)
  const needsPhotos = asked?.needsPhotos ?? true
  const [draft] = useState(() => kycDraft(memberId).read())
  const [isPhotoErrorDue, setIsPhotoErrorDue] = useState(false)
  const required = useLoaded('kyc requirements', () => call(readKycRequirements, {}))
  // Unknown while loading or after a failure. The server checks it in any case.
  const ageMin = required.state === 'ready' ? required.data.ageMin : 0
  const schema = useMemo(() => withAge(needsPhotos ? kyc : withoutPhotos, ageMin), [needsPhotos, ageMin])
  const kycForm = useContractForm({
    schema,
    labels: {
      firstName: 'kyc.fullName',
      dateOfBirth: 'kyc.dateOfBirth',
      email: 'forms.email.label',
      country: 'kyc.country',
      ethAddress: 'kyc.ethAddress',
      btcAddress: 'kyc.btcAddress',
      photoUrls: 'kyc.photos',
    },
    defaultValues: {
      firstName: draft?.firstName ?? before?.firstName ?? '',
      dateOfBirth: draft?.dateOfBirth ?? before?.dateOfBirth ?? '',
      email: draft?.email ?? before?.email ?? memberEmail,
      country: draft?.country ?? before?.country ?? '',
      ethAddress: draft?.ethAddress ?? before?.ethAddress ?? '',
      btcAddress: draft?.btcAddress ?? before?.btcAddress ?? '',
      photoUrls: [],
    },
    submit: async (given) => {
      const sent = asked
        ? call(updateKyc, { body: { _id: asked.id, ...given } })
        : call(createKyc, { body: { ...given, eventId: defaultEventId } })
      const application = await sent.catch((failure: unknown) => {
        markPhotos(failure, given.photoUrls, photos)
        throw failure
      })
      kycDraft(memberId).write(null)
      onHandedIn(application)
    },
  })
  const { form, values } = kycForm
  const names = namesOf(photos.list, stagedPrefix).join(' ')
  useEffect(() => {
    form.clearErrors('photoUrls')
    form.setValue('photoUrls', names === '' ? [] : names.split(' '), { shouldDirty: true })
  }, [form, names])
  const { firstName: fullName = '', dateOfBirth: born = '', email: at = '', country: land = '' } = values
  const { ethAddress: eth = '', btcAddress: btc = '' } = values
  useEffect(() => {
    const typed = {
      firstName: fullName,
      dateOfBirth: born,
      email: at,
      country: land,
      ethAddress: eth,
      btcAddress: btc,
    }
    if (form.formState.isDirty && !form.formState.isSubmitSuccessful) kycDraft(memberId).write(typed)
  }, [form, memberId, fullName, born, at, land, eth, btc])
  const explain = (failure: CallFailed) =>
    failure.code === 'conflict' && (
      <>
        {t('kyc.conflict')} <TextButton onClick={onStale}>{t('kyc.showState')}</TextButton>
      </>
    )
  const photoError = form.formState.errors.photoUrls
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only listens: Enter in a field counts as an attempt to submit
    <div className={styles.form} onKeyDown={(event) => event.key === 'Enter' && setIsPhotoErrorDue(true)}>
      <FormFrame
        of={kycForm}
        submitLabel={t(asked ? 'kyc.answer.submit' : 'kyc.submit')}
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
        <FormInput of={kycForm} name="firstName" autoComplete="name" help={t('kyc.fullName.help')} />
        <FormInput of={kycForm} name="dateOfBirth" autoComplete="bday" help={t('kyc.fullName.help')} />
        <FormInput of={kycForm} name="email" autoComplete="email" />
        <FormInput of={kycForm} name="country" autoComplete="country-name" />
        <FormInput
          of={kycForm}
          name="ethAddress"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          help={t('kyc.ethAddress.help')}
        />
        <FormInput
          of={kycForm}
          name="btcAddress"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <PhotoField
          photos={photos}
          max={max}
          isRequired={needsPhotos}
          isErrorDue={isPhotoErrorDue}
          onTouched={() => setIsPhotoErrorDue(true)}
          serverError={photoError?.type === 'server' ? photoError.message : undefined}
        >
          <HandoffPanel photos={photos} />
        </PhotoField>
        <p className={styles.privacy}>
          <FormattedMessage
            k="kyc.privacy"
            tags={{ link: (words) => <NewTabLink href={pathTo('legal.privacy')}>{words}</NewTabLink> }}
          />
        </p>
      </FormFrame>
    </div>
  )
}

/** Shows the server's reason for rejecting a photo at that photo. */
function markPhotos(failure: unknown, names: readonly string[], photos: Photos): void {
  if (!(failure instanceof CallFailed)) return
  for (const { path, message } of failure.errors) {
    const n = /^photoUrls\.(\d+)$/.exec(path)?.[1]
    const name = n === undefined ? undefined : names[Number(n)]
    if (name !== undefined) photos.fail(name.slice(stagedPrefix.length), message)
  }
}
