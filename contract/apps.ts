import * as z from 'zod/mini'
import { anyone, endpoint } from './endpoint.ts'
import { id, requiredLine } from './fields.ts'

/** The public application id: a label that every call carries, never a right. 24 hexadecimal characters. */
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
  about: 'Look an application up by its full name. Never answers secrets or receiving addresses.',
  access: anyone,
  withoutAppId: true,
  body: z.strictObject({ fullName: requiredLine(200) }),
  output: app,
  errors: ['not_found'],
})
