import * as z from 'zod/mini'
import { healthProblems } from './console-health.ts'
import { anyone, endpoint } from '../platform/endpoint.ts'

/** The dependencies reported to monitoring. */
export const readinessParts = ['database', 'mail', 'storage', 'queues', 'chains', 'jobs'] as const

export const checkHealth = endpoint('GET', 'health', {
  about: 'Check that the process is running.',
  access: anyone,
  withoutAppId: true,
  output: z.object({ status: z.literal('ok') }),
})

export const checkReadiness = endpoint('GET', 'ready', {
  about:
    'Check that the process can serve requests: the database responds and no shutdown is in progress. With the metrics token as bearer token, the response also lists the parts that are not working properly.',
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
