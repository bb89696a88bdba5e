import * as z from 'zod/mini'
import { anyone, endpoint } from '../platform/endpoint.ts'
import { done, email, line, mailedCode, requiredLine, text, time } from '../platform/fields.ts'

export const socialMediaMax = 20
const descriptionLengthMax = 5000
export const ambassadorStates = ['received', 'in_review', 'accepted', 'declined'] as const
export type AmbassadorState = (typeof ambassadorStates)[number]

export const applyAsAmbassador = endpoint('POST', 'forms/AddAmbassador', {
  about:
    'Apply to the ambassador program. Applying again with the same address updates the pending application.',
  access: anyone,
  proofOfWorkAfter: 10,
  status: 201,
  body: z.strictObject({
    email,
    fullName: requiredLine(200),
    city: requiredLine(100),
    country: requiredLine(100),
    socialMedia: z.optional(z.array(line(200)).check(z.maxLength(socialMediaMax, 'too_many'))),
    description: z.optional(text(descriptionLengthMax)),
  }),
  output: done('received'),
})

export const readAmbassadorStatus = endpoint('POST', 'forms/AmbassadorStatus', {
  about:
    'Get the status of an application to the ambassador program and the time of its last change. The caller needs the code from the email and gets no other data.',
  access: anyone,
  inMaintenance: 'reads',
  body: z.strictObject({ code: mailedCode }),
  output: z.object({ status: z.enum(ambassadorStates), at: time }),
  errors: ['code_invalid'],
})
