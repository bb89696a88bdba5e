import * as z from 'zod/mini'
import { anyone, endpoint } from './endpoint.ts'
import { done, email, line, requiredLine, text } from './fields.ts'

export const socialMediaMax = 20
export const descriptionLengthMax = 5000
export const ambassadorStates = ['received', 'in_review', 'accepted', 'declined'] as const

export const applyAsAmbassador = endpoint('POST', 'forms/AddAmbassador', {
  about:
    'Apply to the ambassador programme. The same address again updates the application that is still pending.',
  access: anyone,
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
