import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { ageOn } from '#contract/platform/dates.ts'
import { birthDate } from '#contract/platform/fields.ts'
import {
  createKyc,
  defaultEventId,
  getStagedKycPhoto,
  type KycApplication,
  listStagedKycPhotos,
  photosMax,
  readKycRequirements,
  stagedPrefix,
  updateKyc,
} from '#contract/people/kyc.ts'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { FormFrame } from '../kernel/forms/form-frame.tsx'
import { FormInput } from '../kernel/forms/form-input.tsx'
import { FormLongText } from '../kernel/forms/long-text.tsx'
import { SentenceSpace, useMessages, FormattedMessage } from '../kernel/i18n/messages.tsx'
import { NewTabLink } from '../kernel/layout/new-tab-link.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { Button, TextButton } from '../kernel/ui/button.tsx'
import { HandoffPanel } from './handoff/handoff-panel.tsx'
import styles from './kyc.module.css'
import { PhotoField } from './photo-field.tsx'
import { usePhotos, type Photos } from './use-photos.ts'
import { call, CallFailed } from '../kernel/call/call.ts'
import { addressOn, requiredAddressOn } from '../kernel/forms/chain-address.ts'
import { useContractForm } from '../kernel/forms/use-contract-form.ts'
import { draftStore, type DraftStore } from '../kernel/state/draft-store.ts'
import { namesOf } from './photos.ts'

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

function useSchema(needsPhotos: boolean) {
  const required = useLoaded('kyc requirements', () => call(readKycRequirements, {}))
  // Unknown while loading or after a failure. The server checks it in any case.
  const ageMin = required.state === 'ready' ? required.data.ageMin : 0
  return useMemo(() => withAge(needsPhotos ? kyc : withoutPhotos, ageMin), [needsPhotos, ageMin])
}

const textFields = ['firstName', 'dateOfBirth', 'email', 'country', 'ethAddress', 'btcAddress'] as const
type TextField = (typeof textFields)[number]

/** The text fields of the form as typed so far. Photos are never stored in the browser. */
type Draft = Record<TextField, string>

const draftFrom = (valueOf: (field: TextField) => string): Draft =>
  Object.fromEntries(textFields.map((field) => [field, valueOf(field)])) as Draft

/** Identity data must not stay in the browser after the session has ended. */
export const kycDraft = (memberId: string): DraftStore<Draft> =>
  draftStore(memberId, 'kyc', { endsWithSession: true })

/** An application that staff asked the member to complete. */
type Asked = {
  id: string
  /** Number of accepted photos that stay. */
  kept: number
  needsPhotos: boolean
}

type KycFormOptions = {
  memberId: string
  email: string
  /** An application that must be repeated. Its entries are the initial values. */
  before?: KycApplication | undefined
  /** Set if the form answers a request for more information in the same application. */
  asked?: Asked
  onHandedIn: (application: KycApplication) => void
}

/** The fields of the identity form, which are kept as a draft, and its submission. */
function useKycForm(options: KycFormOptions, photos: Photos) {
  const { memberId, email: memberEmail, before, asked, onHandedIn } = options
  const [draft] = useState(() => kycDraft(memberId).read())
  const kycForm = useContractForm({
    schema: useSchema(asked?.needsPhotos ?? true),
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
      ...draftFrom((field) => draft?.[field] ?? before?.[field] ?? (field === 'email' ? memberEmail : '')),
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
  // Compared as text, because every render has a new object.
  const typed = JSON.stringify(draftFrom((field) => values[field] ?? ''))
  useEffect(() => {
    if (form.formState.isDirty && !form.formState.isSubmitSuccessful)
      kycDraft(memberId).write(JSON.parse(typed) as Draft)
  }, [form, memberId, typed])
  // Photos that are there, but could not be uploaded, are not missing.
  const hasFailed = photos.list.some(({ upload }) => upload.state === 'failed')
  const isListed = kycForm.missing.includes('photoUrls')
  return hasFailed && isListed ? { ...kycForm, wrong: [...kycForm.wrong, 'photoUrls' as const] } : kycForm
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
              {t('kyc.conflict')}
              <SentenceSpace />
              <TextButton onClick={onStale}>{t('kyc.showState')}</TextButton>
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
        <FormInput of={kycForm} name="dateOfBirth" autoComplete="bday" help={t('kyc.dateOfBirth.help')} />
        <FormInput of={kycForm} name="email" autoComplete="email" />
        <FormInput of={kycForm} name="country" autoComplete="country-name" />
        <FormLongText of={kycForm} name="ethAddress" help={t('kyc.ethAddress.help')} />
        <FormLongText of={kycForm} name="btcAddress" />
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
