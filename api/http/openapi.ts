import * as z from 'zod/mini'
import { api, version, type EndpointName } from '#contract/api.ts'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import { apiTokenPrefix } from '#contract/api-tokens.ts'
import { refusals, type RefusalCode } from '#contract/errors.ts'
import { work, workHeader } from '#contract/proof-of-work.ts'
import { machineUseOf } from '#contract/machine-calls.ts'
import { passkeyRequest } from '#contract/webauthn.ts'
import {
  webhookBody,
  webhookData,
  webhookEventAbout,
  type WebhookEventType,
} from '#contract/webhook-events.ts'
import { webhookAnswers, webhookHeaders, webhookPromise } from './webhook-promises.ts'

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => nameKeys(jsonSchema),
  })
  return rest
}

/** A record of known keys names each as a property: generators make fields of those, and nothing of `propertyNames`. */
function nameKeys(schema: z.core.JSONSchema.BaseSchema): void {
  const { required, additionalProperties } = schema
  if (!schema.propertyNames || !required || typeof additionalProperties !== 'object') return
  schema.properties = Object.fromEntries(required.map((key) => [key, additionalProperties]))
  schema.additionalProperties = false
  delete schema.propertyNames
}

const json = (schema: unknown) => ({ 'application/json': { schema } })

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]]),
  message: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }))),
  work: z.optional(work),
  secondFactor: z.optional(
    z.object({
      kinds: z.array(z.enum(['totp', 'recovery', 'passkey'])),
      passkey: z.optional(passkeyRequest),
    }),
  ),
})

export type Operation = ReturnType<typeof operationOf>
export type OpenApi = ReturnType<typeof openApiDocument>

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(title: string, serverUrl: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const name of Object.keys(api) as EndpointName[]) {
    const endpoint: Endpoint = api[name]
    const path = '/' + endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) }
  }
  return {
    openapi: '3.1.1',
    info: { title, version, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } },
    // Every path begins with a slash.
    servers: [{ url: serverUrl.replace(/\/$/, '') }] as [{ url: string }],
    paths,
    webhooks: webhooksOf(),
    components: {
      schemas: { Problem: schemaOf(problem, 'output') },
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'x-access-token' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-refresh' },
        phoneSecret: { type: 'apiKey', in: 'header', name: 'x-phone-secret' },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${apiTokenPrefix}…`,
          description:
            'For machines: a token that one of the staff makes in the console, with levels of theirs. Only the calls that name this scheme take one; the others answer `person_required`.',
        },
      },
    },
  }
}

function operationOf(name: string, endpoint: Endpoint) {
  return {
    operationId: name,
    summary: endpoint.about,
    tags: [endpoint.path.split('/')[0] ?? ''],
    description: [accessSentence(endpoint), machineSentence(name, endpoint)].filter(Boolean).join(' '),
    security: securityOf(name, endpoint),
    parameters: [
      ...(endpoint.withoutAppId
        ? []
        : [{ in: 'header', name: 'x-app-id', required: true, schema: { type: 'string' } }]),
      ...(endpoint.takesIdempotencyKey
        ? [
            {
              in: 'header',
              name: 'Idempotency-Key',
              required: false,
              schema: { type: 'string', maxLength: 128 },
            },
          ]
        : []),
      ...(endpoint.asksWorkAfter === undefined
        ? []
        : [{ in: 'header', name: workHeader, required: false, schema: { type: 'string', maxLength: 800 } }]),
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
    ],
    ...(endpoint.body ? { requestBody: { content: json(schemaOf(endpoint.body, 'input')) } } : {}),
    responses: responsesOf(name, endpoint),
  }
}

/** What is sent to endpoints of webhooks, by the name of the event. */
const webhooksOf = () =>
  Object.fromEntries(
    (Object.keys(webhookData) as WebhookEventType[]).map((type) => [
      type,
      {
        post: {
          operationId: type,
          summary: webhookEventAbout[type],
          description: webhookPromise,
          // The receiver checks the signature among the headers.
          security: [],
          parameters: webhookHeaders.map(([name, description]) => ({
            in: 'header',
            name,
            description,
            required: true,
            schema: { type: 'string' },
          })),
          requestBody: { content: json(schemaOf(webhookBody(type), 'output')) },
          responses: webhookAnswers,
        },
      },
    ]),
  )

type Answered = { description: string; content: Record<string, { schema?: unknown }> }

const responsesOf = (name: string, endpoint: Endpoint): Record<string, Answered> => ({
  [endpoint.status]: {
    description: 'Done',
    content: {
      ...(endpoint.answersBytes
        ? { [endpoint.answersAlso ?? 'image/*']: {} }
        : json(schemaOf(endpoint.output, 'output'))),
      ...(endpoint.answersAlso ? { [endpoint.answersAlso]: {} } : {}),
    },
  },
  ...Object.fromEntries(
    refusalsOf(name, endpoint).map(([status, codes]) => [status, refusalResponse(codes)]),
  ),
})

function parametersOf(where: 'path' | 'query', schema: z.ZodMiniType | undefined) {
  const properties = schema
    ? ((schemaOf(schema, 'input') as { properties?: Record<string, object> }).properties ?? {})
    : {}
  return Object.entries(properties).map(([name, property]) => ({
    in: where,
    name,
    required: where === 'path',
    schema: property,
  }))
}

/** What anyone may call takes nothing, and a token besides where it may be sent. */
function securityOf(name: string, endpoint: Endpoint): Record<string, []>[] {
  const machine: Record<string, []>[] = machineUseOf(name) ? [{ apiToken: [] }] : []
  if (endpoint.access.who === 'anyone') return machine.length > 0 ? [{}, ...machine] : []
  return [{ [schemeOf(endpoint)]: [] }, ...machine]
}

function machineSentence(name: string, { access }: Endpoint): string {
  const use = machineUseOf(name)
  if (!use || access.who === 'anyone') return ''
  return use === 'writes' ? 'Takes an API token that may write.' : 'Takes an API token.'
}

const schemeOf = ({ access }: Endpoint): string =>
  access.who === 'session' || access.who === 'phone'
    ? { session: 'session', phone: 'phoneSecret' }[access.who]
    : 'accessToken'

function accessSentence({ access }: Endpoint): string {
  if (access.who === 'anyone') return 'Anyone may call.'
  if (access.who === 'session') return 'Needs the refresh cookie and X-XSRF-TOKEN.'
  if (access.who === 'phone') return 'Needs the secret of a phone that a member handed over to.'
  if (access.who === 'member') return 'Needs a signed-in member, who acts on their own records.'
  const level = rightWords(access)
  return access.orSelf ? `A member on their own records; ${level} on anybody’s.` : `Needs ${level}.`
}

const rightWords = ({ level, atLeast }: Extract<Access, { who: 'staff' }>): string => {
  if (level === 'any') return 'a right of the staff'
  return level === 'admin' ? 'the right of an administrator' : `the level ${level} ${atLeast}`
}

/** The refusals an endpoint can answer, by status: its own and those that follow from access, body and limits. */
function refusalsOf(name: string, endpoint: Endpoint): [number, RefusalCode[]][] {
  const codes = new Set<RefusalCode>([...endpoint.errors, 'rate_limited', 'unexpected', 'unavailable'])
  if (!endpoint.withoutAppId) codes.add('app_unknown')
  if (endpoint.method !== 'GET') codes.add('xsrf_failed')
  if (endpoint.body)
    for (const code of [
      'malformed_json',
      'validation_failed',
      'app_mismatch',
      'payload_too_large',
      'unsupported_media_type',
    ] as const)
      codes.add(code)
  if (endpoint.asksWorkAfter !== undefined) codes.add('work_required')
  if (endpoint.takesFiles) codes.add('too_slow')
  if (endpoint.access.who !== 'anyone')
    for (const code of ['unauthenticated', 'session_expired'] as const) codes.add(code)
  if (endpoint.access.who === 'staff')
    for (const code of ['forbidden', 'second_factor_needed'] as const) codes.add(code)
  // A token that is sent is looked at whatever the call asks for.
  for (const code of ['token_invalid', 'token_misused'] as const) codes.add(code)
  const use = machineUseOf(name)
  if (use === 'writes') codes.add('token_read_only')
  if (!use) codes.add('person_required')
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of codes) byStatus.set(refusals[code], [...(byStatus.get(refusals[code]) ?? []), code])
  return [...byStatus].sort(([a], [b]) => a - b)
}

const refusalResponse = (codes: RefusalCode[]) => ({
  description: codes.join(', '),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})
