import * as z from 'zod/mini'
import { healthProblems } from './console-health.ts'
import { anyone, endpoint } from './endpoint.ts'

/** The parts reported to monitoring. */
export const readinessParts = ['database', 'mail', 'storage', 'queues', 'chains', 'jobs'] as const

export const checkHealth = endpoint('GET', 'health', {
  about: 'The process lives.',
  access: anyone,
  withoutAppId: true,
  output: z.object({ status: z.literal('ok') }),
})

export const checkReadiness = endpoint('GET', 'ready', {
  about:
    'The process can serve: the database answers and no shutdown is under way. With the token of the metrics as bearer token also: which parts work badly meanwhile.',
  access: anyone,
  withoutAppId: true,
  output: z.object({
    status: z.literal('ready'),
    degraded: z.optional(
      z.array(z.object({ part: z.enum(readinessParts), problems: z.array(z.enum(healthProblems)) })),
    ),
  }),
  errors: ['unavailable'],
})
