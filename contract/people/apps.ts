import * as z from 'zod/mini'
import { anyone, endpoint, staff } from '../platform/endpoint.ts'
import { timeInput, id, requiredLine, time } from '../platform/fields.ts'

/** The public application ID that every request carries: 24 hexadecimal characters. It grants no rights. */
export const defaultAppId = '5b9a3f7c2e8d41609fab0001'
export const appIdPattern = /^[0-9a-f]{24}$/

export const app = z.object({
  _id: id,
  name: z.string(),
  fullName: z.string(),
  coins: z.array(z.object({ symbol: z.string() })),
  docs: z.array(z.object({ name: z.string(), type: z.string(), url: z.string() })),
  contact: z.string(),
})
export type App = z.infer<typeof app>

export const findApp = endpoint('POST', 'apps/findOne', {
  about: 'Look up an app by its full name. Secrets and receiving addresses are never included.',
  access: anyone,
  inMaintenance: 'reads',
  withoutAppId: true,
  body: z.strictObject({ fullName: requiredLine(200) }),
  output: app,
  errors: ['not_found'],
})

const appNameLengthMax = 200
const appCoinsMax = 20
const appDocsMax = 50
const webAddress = requiredLine(500).check(z.regex(/^https?:\/\/[^\s/]+/i, 'invalid'))

/** The fields that staff can change. */
export const appInput = z.strictObject({
  name: requiredLine(appNameLengthMax),
  fullName: requiredLine(appNameLengthMax),
  contact: requiredLine(254),
  coins: z
    .array(z.strictObject({ symbol: requiredLine(10) }))
    .check(z.minLength(1, 'too_few'), z.maxLength(appCoinsMax, 'too_many')),
  docs: z
    .array(z.strictObject({ name: requiredLine(100), type: requiredLine(20), url: webAddress }))
    .check(z.maxLength(appDocsMax, 'too_many')),
})
export type AppInput = z.infer<typeof appInput>

const { _id, ...ofApp } = app.shape
export const appRecord = z.object({
  ...ofApp,
  /** Until staff change it, the profile is overwritten from the content files at every start. */
  isEdited: z.boolean(),
  lastUpdated: time,
})
export type AppRecord = z.infer<typeof appRecord>

export const getAppRecord = endpoint('GET', 'admin/app', {
  about: 'Get the public app profile for staff.',
  access: staff('coins', 1),
  output: appRecord,
})

export const updateAppRecord = endpoint('POST', 'admin/app', {
  about:
    'Update the profile that `apps/findOne` returns. If `lastUpdated` is not the stored value, nothing is written.',
  access: staff('coins', 2),
  body: z.strictObject({ ...appInput.shape, lastUpdated: z.optional(timeInput) }),
  output: appRecord,
  errors: ['conflict', 'step_up_required'],
})
