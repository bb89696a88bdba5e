import * as z from 'zod/mini'
import { api, version, type EndpointName } from '#contract/api.ts'
import type { Access, Endpoint } from '#contract/platform/endpoint.ts'
import { apiTokenPrefix } from '#contract/people/api-tokens.ts'
import { errorStatuses, type ErrorCode } from '#contract/platform/errors.ts'
import { work, workHeader } from '#contract/platform/proof-of-work.ts'
import { tokenUseOf } from '#contract/token-endpoints.ts'
import { passkeyRequest } from '#contract/people/webauthn.ts'
import {
  webhookBody,
  webhookData,
  webhookEventAbout,
  type WebhookEventType,
} from '#contract/integrations/webhook-events.ts'
import { isRefusedInMaintenance } from '../maintenance/known-maintenance.ts'

/** What webhook receivers can rely on, for the API document. */
const webhookPromise =
  'Sent at least once to every endpoint that subscribes to it. Ignore an event whose ID you have already processed. Events about one subject are sent in order, as long as the endpoint accepts them. Redirects aren’t followed, and requests time out after 15 seconds.'

const webhookHeaders: readonly (readonly [name: string, about: string])[] = [
  ['webhook-id', 'ID of the event. It stays the same on each retry.'],
  [
    'webhook-timestamp',
    'Time of this attempt, in seconds since 1970. Reject requests older than five minutes.',
  ],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the base64-decoded part of the secret after `whsec_`. While a secret is being rotated, there are several, separated by spaces.',
  ],
]

const webhookAnswers = {
  '2XX': { description: 'Accepted.' },
  '410': { description: 'The endpoint is permanently gone. Nothing more is sent to it.' },
  default: {
    description:
      'Any other response, or a timeout: the event is retried for three days, at increasing intervals.',
  },
}

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => nameKeys(jsonSchema),
  })
  return rest
}

/**
 * Lists known keys of a record as properties: generators turn those into fields, but ignore `propertyNames`.
 */
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
  code: z.enum(Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  errors: z.optional(z.array(z.object({ path: z.string(), code: z.string(), message: z.string() }))),
  work: z.optional(work),
  secondFactor: z.optional(
    z.object({
      kinds: z.array(z.enum(['totp', 'recovery', 'passkey'])),
      passkey: z.optional(passkeyRequest),
    }),
  ),
  deliveries: z.optional(
    z.array(
      z.object({
        deliveryId: z.string(),
        reference: z.string(),
        obstacle: z.string(),
        hold: z.nullable(z.string()),
      }),
    ),
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
            'For programs: a token that a staff member creates in the console, limited to their own access levels. Only endpoints that list this scheme accept it. All others respond with `person_required`.',
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
      ...(endpoint.acceptsIdempotencyKey
        ? [
            {
              in: 'header',
              name: 'Idempotency-Key',
              required: false,
              schema: { type: 'string', maxLength: 128 },
            },
          ]
        : []),
      ...(endpoint.proofOfWorkAfter === undefined
        ? []
        : [{ in: 'header', name: workHeader, required: false, schema: { type: 'string', maxLength: 800 } }]),
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
    ],
    ...(endpoint.body ? { requestBody: { content: json(schemaOf(endpoint.body, 'input')) } } : {}),
    responses: responsesOf(name, endpoint),
  }
}

/** Requests sent to webhook endpoints, by event name. */
const webhooksOf = () =>
  Object.fromEntries(
    (Object.keys(webhookData) as WebhookEventType[]).map((type) => [
      type,
      {
        post: {
          operationId: type,
          summary: webhookEventAbout[type],
          description: webhookPromise,
          // The receiver verifies the signature in the headers.
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
      ...(endpoint.returnsBytes
        ? { [endpoint.alternateType ?? 'image/*']: {} }
        : json(schemaOf(endpoint.output, 'output'))),
      ...(endpoint.alternateType ? { [endpoint.alternateType]: {} } : {}),
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

/** Public calls need no credentials, but accept a token where one may be sent. */
function securityOf(name: string, endpoint: Endpoint): Record<string, []>[] {
  const machine: Record<string, []>[] = tokenUseOf(name) ? [{ apiToken: [] }] : []
  if (endpoint.access.who === 'anyone') return machine.length > 0 ? [{}, ...machine] : []
  return [{ [schemeOf(endpoint)]: [] }, ...machine]
}

function machineSentence(name: string, { access }: Endpoint): string {
  const use = tokenUseOf(name)
  if (!use || access.who === 'anyone') return ''
  return use === 'writes' ? 'Accepts an API token with write access.' : 'Accepts an API token.'
}

const schemeOf = ({ access }: Endpoint): string =>
  access.who === 'session' || access.who === 'phone'
    ? { session: 'session', phone: 'phoneSecret' }[access.who]
    : 'accessToken'

function accessSentence({ access }: Endpoint): string {
  if (access.who === 'anyone') return 'Open to anyone.'
  if (access.who === 'session') return 'Requires the refresh cookie and X-XSRF-TOKEN.'
  if (access.who === 'phone') return 'Requires the secret of a phone that a member connected.'
  if (access.who === 'member') return 'Requires a signed-in member, who can act only on their own records.'
  const level = rightWords(access)
  return access.orSelf
    ? `Requires a signed-in member for their own records, or ${level} for anyone’s.`
    : `Requires ${level}.`
}

const rightWords = ({ level, atLeast }: Extract<Access, { who: 'staff' }>): string => {
  if (level === 'any') return 'any staff permission'
  if (level === 'support') return `access level employee ${atLeast} or finance ${atLeast}`
  return level === 'admin' ? 'administrator permission' : `access level ${level} ${atLeast}`
}

/** Refusals of an endpoint by status: its own, and those that follow from access, body, and limits. */
function refusalsOf(name: string, endpoint: Endpoint): [number, ErrorCode[]][] {
  const codes = new Set<ErrorCode>([
    ...endpoint.errors,
    'rate_limited',
    'unexpected',
    'unavailable',
    ...refusalsOfRequest(endpoint),
    ...refusalsOfCaller(name, endpoint),
  ])
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes)
    byStatus.set(errorStatuses[code], [...(byStatus.get(errorStatuses[code]) ?? []), code])
  return [...byStatus].sort(([a], [b]) => a - b)
}

const bodyRefusals = [
  'malformed_json',
  'validation_failed',
  'app_mismatch',
  'payload_too_large',
  'unsupported_media_type',
] as const

const refusalsOfRequest = (endpoint: Endpoint): ErrorCode[] => [
  ...(endpoint.withoutAppId ? [] : (['app_unknown'] as const)),
  ...(endpoint.method === 'GET' ? [] : (['xsrf_failed'] as const)),
  ...(isRefusedInMaintenance(endpoint) ? (['maintenance'] as const) : []),
  ...(endpoint.body ? bodyRefusals : []),
  ...(endpoint.proofOfWorkAfter === undefined ? [] : (['work_required'] as const)),
  ...(endpoint.acceptsFiles ? (['too_slow'] as const) : []),
]

function refusalsOfCaller(name: string, { access }: Endpoint): ErrorCode[] {
  const use = tokenUseOf(name)
  return [
    ...(access.who === 'anyone' ? [] : (['unauthenticated', 'session_expired'] as const)),
    ...(access.who === 'staff' ? (['forbidden', 'second_factor_needed'] as const) : []),
    // A token is checked if it is sent, whatever the call requires.
    'token_invalid',
    'token_misused',
    ...(use === 'writes' ? (['token_read_only'] as const) : []),
    ...(use ? [] : (['person_required'] as const)),
  ]
}

const refusalResponse = (codes: ErrorCode[]) => ({
  description: codes.join(', '),
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})
