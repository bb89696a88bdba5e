import * as z from 'zod/mini'
import { MINUTE } from '../platform/durations.ts'
import { anyone, endpoint, member, phone } from '../platform/endpoint.ts'
import { done, id, MIB, noBody, time } from '../platform/fields.ts'
import { photo, photoBytesMax, photosMax, stagedPhoto } from './kyc.ts'

/** How long the link can be opened, and how long the phone can upload after opening it. */
export const handoffLife = 15 * MINUTE

const handoffStates = ['none', 'waiting', 'open', 'ended'] as const

/** 256 random bits in base64url. */
const secret = z.string().check(z.regex(/^[\w-]{43}$/, 'invalid'))

export const handoff = z.object({
  id: z.nullable(id),
  /** `waiting`: the link has not been opened. `ended`: ended by either side, or expired. */
  state: z.enum(handoffStates),
  expiresAt: z.nullable(time),
  openedAt: z.nullable(time),
  /** Browser and operating system of the phone, such as "Safari · iOS". */
  device: z.string(),
  /** The photos that the phone has uploaded and neither side has deleted, in order of arrival. */
  photos: z.array(z.object({ id, at: time })),
})
export type Handoff = z.infer<typeof handoff>

const room = z.int().check(z.gte(1, 'too_little'), z.lte(photosMax, 'too_much'))

export const createHandoff = endpoint('POST', 'kyc/handoff', {
  about: 'Let a phone upload photos for the caller without signing in. This ends any earlier link.',
  access: member,
  status: 201,
  /** The number of photos that the form can still accept. */
  body: z.strictObject({ room }),
  output: z.object({ link: secret, expiresAt: time }),
  errors: ['conflict'],
})

export const getHandoff = endpoint('GET', 'kyc/handoff', {
  about: 'Get whether the link was opened, and the photos that the phone has uploaded.',
  access: member,
  output: handoff,
})

export const endHandoff = endpoint('POST', 'kyc/handoff/end', {
  about: 'End the upload from the phone. Photos that were already uploaded are kept.',
  access: member,
  body: noBody,
  output: done('ended'),
})

export const openHandoff = endpoint('POST', 'kyc/handoff/open', {
  about:
    'Bind a link to the browser that knows `secret`, which that browser generated. Anyone who opens the link later with another secret gets nothing.',
  access: anyone,
  body: z.strictObject({ link: secret, secret }),
  output: z.object({ expiresAt: time, room: z.number(), received: z.number() }),
  errors: ['not_found'],
})

export const stageHandoffPhoto = endpoint('POST', 'kyc/handoff/photos', {
  about: 'Upload one photo for the member who created the link.',
  access: phone,
  status: 201,
  bodyBytesMax: 15 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: photoBytesMax },
  body: z.strictObject({ photo }),
  output: stagedPhoto,
})

export const deleteHandoffPhoto = endpoint('DELETE', 'kyc/handoff/photos/:id', {
  about: 'Delete a photo that was uploaded through the same link.',
  access: phone,
  params: z.strictObject({ id }),
  output: done('dropped'),
  errors: ['not_found'],
})

export const closeHandoff = endpoint('POST', 'kyc/handoff/close', {
  about: 'Finish uploading from the phone.',
  access: phone,
  body: noBody,
  output: done('ended'),
})
