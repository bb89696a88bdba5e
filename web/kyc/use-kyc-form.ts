import { useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { ageOn } from '#contract/dates.ts'
import { birthDate } from '#contract/fields.ts'
import {
  createKyc,
  defaultEventId,
  readKycRequirements,
  stagedPrefix,
  updateKyc,
  type KycApplication,
} from '#contract/kyc.ts'
import { useLoaded } from '../actions/use-loaded.ts'
import { call, CallFailed } from '../call/call.ts'
import { addressOn, requiredAddressOn } from '../forms/chain-address.ts'
import { useContractForm } from '../forms/use-contract-form.ts'
import { draftStore, type DraftStore } from '../state/draft-store.ts'
import { namesOf } from './photos.ts'
import type { Photos } from './use-photos.ts'

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

export type KycFormOptions = {
  memberId: string
  email: string
  /** An application that must be repeated. Its entries are the initial values. */
  before?: KycApplication | undefined
  /** Set if the form answers a request for more information in the same application. */
  asked?: Asked
  onHandedIn: (application: KycApplication) => void
}

/** The fields of the identity form, which are kept as a draft, and its submission. */
export function useKycForm(options: KycFormOptions, photos: Photos) {
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
  return kycForm
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
