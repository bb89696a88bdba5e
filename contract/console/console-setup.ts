import * as z from 'zod/mini'
import { endpoint, staff } from '../platform/endpoint.ts'
import type { HealthProblem } from './console-health.ts'

/** What a new installation needs before it opens, in display order. */
export const setupSteps = [
  'second_administrator',
  'email',
  'backup',
  'screening_list',
  'texts',
  'first_post',
  'sale',
  'domain',
] as const
const setupStepName = z.enum(setupSteps)
export type SetupStepName = (typeof setupSteps)[number]

/** Problems of health checks that keep a step open. */
export const setupProblems = [
  'one_administrator',
  'mail_unset',
  'mail_waiting',
  'mail_server_unreachable',
  'backup_never',
  'backup_old',
  'backup_failed',
  'no_screening_list',
  'screening_list_unreadable',
  'content_sample',
  'http_only',
  'tls_untrusted',
  'tls_name',
  'tls_expired',
  'mail_domain_unknown',
  'spf_missing',
  'spf_several',
  'spf_open',
  'dkim_missing',
  'dmarc_missing',
  'unanswered',
  'check_failed',
] as const satisfies readonly HealthProblem[]
export type SetupProblem = (typeof setupProblems)[number]

/** Details of health checks that help with an open step. */
export const setupFacts = ['sampleCount', 'senderDomain', 'why'] as const
export type SetupFact = (typeof setupFacts)[number]

const setupStep = z.object({
  name: setupStepName,
  /** `skipped`: open, but an administrator decided that this installation doesn't need it. */
  state: z.enum(['done', 'open', 'skipped']),
  /** Why the step isn't done, as the health checks report it. Empty for a step without a health check. */
  problems: z.array(z.enum(setupProblems)),
  facts: z.array(z.object({ name: z.enum(setupFacts), value: z.string() })),
})
export type SetupStep = z.infer<typeof setupStep>

export const readSetup = endpoint('GET', 'admin/home/setup', {
  about:
    'Get the steps for setting up a new installation. The application checks each step itself, as it would in production.',
  access: staff('admin'),
  output: z.array(setupStep),
})

export const skipSetupStep = endpoint('POST', 'admin/home/setup/:step', {
  about: 'Mark a setup step as not needed, or undo this. Returns all steps.',
  access: staff('admin'),
  params: z.strictObject({ step: setupStepName }),
  body: z.strictObject({ isSkipped: z.boolean() }),
  output: z.array(setupStep),
})
