import { afterAll, expect, test } from 'vitest'
import { api, type EndpointName } from '#contract/api.ts'
import { tokenUseOf } from '#contract/token-endpoints.ts'
import { webhookData } from '#contract/integrations/webhook-events.ts'
import { startApi } from '#tests/setup/start-api.ts'
import type { OpenApi, Operation } from './openapi.ts'

const started = await startApi({ PUBLIC_URL: 'https://coin.example' }, afterAll)
const names = Object.keys(api) as EndpointName[]

const get = (url: string) => started.send({ method: 'GET', url })
const document = (await get('/v2/openapi.json')).json<OpenApi>()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** All values under a key of that name, at any depth. */
function valuesOf(key: string, within: unknown): unknown[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(key, value),
  ])
}

test('the OpenAPI document lists every endpoint once, by its name', () => {
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(names.toSorted())
  for (const { path, method, operation } of operations) {
    const endpoint = api[operation.operationId as EndpointName]
    expect([method.toUpperCase(), path.slice(1)]).toEqual([
      endpoint.method,
      endpoint.path.replaceAll(/:(\w+)/g, '{$1}'),
    ])
  }
})

test('is valid OpenAPI 3.1: parameters, answers, and references are complete', () => {
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\.\d$/),
    info: { title: expect.stringMatching(/./), version: expect.stringMatching(/./) },
    servers: [{ url: 'https://coin.example/v2' }],
  })
  for (const { path, method, operation } of operations) {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    for (const parameter of operation.parameters)
      expect(parameter).toMatchObject({ name: expect.any(String), schema: expect.any(Object) })
    for (const parameter of inPath) expect(parameter.required).toBe(true)
    expect('requestBody' in operation, operation.operationId).toBe(method === 'post')
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(status).toMatch(/^[2-5]\d\d$/)
      expect(response.description).not.toBe('')
    }
  }
  for (const reference of valuesOf('$ref', document)) {
    const target = String(reference)
      .slice(2)
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
    expect(target).toBeDefined()
  }
  expect(valuesOf('$schema', document)).toEqual([])
})

/* Implements Redocly's recommended rules under their names; exceptions give a reason. */

test('no-server-trailing-slash, no-path-trailing-slash: only paths of the specification end in a slash', () => {
  expect(document.servers[0].url).not.toMatch(/\/$/)
  const inSlash = Object.keys(document.paths).filter((path) => path.endsWith('/'))
  expect(inSlash.toSorted()).toEqual(['/icotx/', '/kyc/', '/members/'])
})

test('security-defined, info-license: every operation, including webhooks, declares its security, and the license is named', () => {
  const all = [
    ...operations.map(({ operation }) => operation),
    ...Object.values(document.webhooks).map(({ post }) => post),
  ]
  expect(
    all.filter(({ security }) => !Array.isArray(security)).map(({ operationId }) => operationId),
  ).toEqual([])
  expect(document.info.license).toEqual({ name: expect.any(String), identifier: 'Apache-2.0' })
})

type Schema = { required?: string[]; properties?: Record<string, unknown>; propertyNames?: unknown }

function objectsWithin(within: unknown): Schema[] {
  if (typeof within !== 'object' || within === null) return []
  return [
    ...(Array.isArray((within as Schema).required) ? [within as Schema] : []),
    ...Object.values(within).flatMap(objectsWithin),
  ]
}

test('no-required-schema-properties-undefined: required properties exist', () => {
  const objects = objectsWithin(document)
  expect(objects.length).toBeGreaterThan(100)
  const undefinedIn = ({ required = [], properties = {} }: Schema) =>
    required.filter((name) => !(name in properties))
  expect(objects.flatMap(undefinedIn)).toEqual([])
  const { waiting } = (
    find('readKycStatistics').responses['200']!.content['application/json']!.schema as {
      properties: { waiting: Schema }
    }
  ).properties
  expect(waiting).toMatchObject({
    properties: { submitted: { type: 'number' } },
    additionalProperties: false,
  })
})

/** Whether one address could match both paths. */
const isAmbiguous = (a: string, b: string): boolean => {
  const [parts, others] = [a.split('/'), b.split('/')]
  const isOpen = (part: string | undefined) => part?.startsWith('{') ?? false
  const differ = parts
    .map((part, at) => [part, others[at]] as const)
    .filter(([part, other]) => part !== other)
  return (
    parts.length === others.length &&
    differ.every(([part, other]) => isOpen(part) || isOpen(other)) &&
    differ.some(([part]) => isOpen(part)) &&
    differ.some(([, other]) => isOpen(other))
  )
}

test('no-ambiguous-paths: only old paths are ambiguous, and the word before the value decides', () => {
  const paths = Object.keys(document.paths)
  const pairs = paths.flatMap((path, at) =>
    paths
      .slice(at + 1)
      .flatMap((other) => (isAmbiguous(path, other) ? [[path, other].toSorted().join(' ')] : [])),
  )
  // A language has two letters, and no ID is "photos" or "handoff".
  expect(pairs.toSorted()).toEqual([
    '/announcements/delete/{id} /announcements/{lang}/browse',
    '/announcements/previews/{token} /announcements/{lang}/browse',
    '/kyc/handoff/photos/{id} /kyc/{id}/photos/{n}',
    '/kyc/photos/{id} /kyc/{id}/history',
  ])
})

const find = (name: EndpointName): Operation =>
  operations.find(({ operation }) => operation.operationId === name)!.operation

test('webhooks are described with their headers and the schema of their body', async () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(webhookData))
  const { body } = await get('/v2/docs')
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
    expect(post.requestBody.content['application/json'].schema).toMatchObject({
      required: ['id', 'type', 'createdAt', 'data'],
      properties: { type: { const: type } },
    })
    expect(body).toContain(`<article id="webhook-${type}">`)
  }
})

test('lists who may call and which refusals are possible', () => {
  expect(find('createMember').security).toEqual([])
  expect(find('restoreSession').security).toEqual([{ session: [] }])
  expect(find('getKyc').security).toEqual([{ accessToken: [] }, { apiToken: [] }])
  expect(find('getKycPhoto').security).toEqual([{ accessToken: [] }])
  expect(find('listAnnouncements').security).toEqual([{}, { apiToken: [] }])
  expect(find('getKyc').description).toContain('finance 1')
  expect(Object.keys(find('updateAnnouncement').responses)).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '409', '413', '415', '429', '500', '503']),
  )
  expect(find('findApp').parameters).toEqual([])
  expect(find('getKycPhoto').responses['200']!.content).toHaveProperty('image/*')
})

test('the page shows every call without scripts or other hosts', async () => {
  const { body, headers, statusCode } = await get('/v2/docs')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const name of names) expect(body).toContain(`<article id="${name}">`)
  expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i)
  expect([...body.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address)).toEqual([
    '/v2/docs.css',
    '/v2/openapi.json',
  ])
  expect((await get('/v2/docs.css')).headers['content-type']).toBe('text/css; charset=utf-8')
})

test('each call documents how it refuses an API token', () => {
  for (const { operation } of operations) {
    const codes = Object.values(operation.responses).flatMap(({ description }) => description.split(', '))
    expect(codes, operation.operationId).toEqual(expect.arrayContaining(['token_invalid', 'token_misused']))
    const isForPeople = tokenUseOf(operation.operationId) === undefined
    expect([operation.operationId, codes.includes('person_required')]).toEqual([
      operation.operationId,
      isForPeople,
    ])
  }
})

test.each(['openapi.json', 'docs', 'docs.css'])('%s is sent once to clients that cache it', async (name) => {
  const first = await started.send({ url: `/v2/${name}` })
  expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-cache'])
  const again = await started.send({
    url: `/v2/${name}`,
    headers: { 'if-none-match': String(first.headers['etag']) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const other = await started.send({ url: `/v2/${name}`, headers: { 'if-none-match': '"another"' } })
  expect(other.body).toBe(first.body)
})
