import * as z from 'zod/mini'
import { anyone, endpoint } from './endpoint.ts'

export const checkHealth = endpoint('GET', 'health', {
  about: 'The process lives.',
  access: anyone,
  withoutAppId: true,
  output: z.object({ status: z.literal('ok') }),
})

export const checkReadiness = endpoint('GET', 'ready', {
  about: 'The process can serve: the database answers and no shutdown is under way.',
  access: anyone,
  withoutAppId: true,
  output: z.object({ status: z.literal('ready') }),
  errors: ['unavailable'],
})
