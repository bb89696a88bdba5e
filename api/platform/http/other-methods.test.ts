import { afterAll, expect, test } from 'vitest'
import type { InjectOptions } from 'fastify'
import { api } from '#contract/api.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import type { Problem } from '#contract/platform/errors.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)

const send = (path: string, method: NonNullable<InjectOptions['method']>, payload?: string) =>
  started.send({
    method,
    url: path.startsWith('/') ? path : `/v2/${path}`,
    headers: { 'x-app-id': defaultAppId },
    ...(payload && { payload }),
  })

test('an address lists its methods, and an unknown address is 404 for every method', async () => {
  const allowed = await Promise.all(
    ['members/login', 'members/sessions/x', 'members/', 'announcements/en', 'docs', 'openapi.json'].map(
      async (path) => {
        const answer = await send(path, 'PATCH')
        return [answer.statusCode, answer.json<Problem>().code, answer.headers.allow]
      },
    ),
  )
  expect(allowed).toEqual(
    ['POST', 'DELETE', 'GET', 'GET', 'GET', 'GET'].map((allow) => [405, 'method_not_allowed', allow]),
  )
  for (const method of ['PUT', 'POST', 'OPTIONS'])
    expect((await send('nothing/at/all', method)).statusCode).toBe(404)
})

test('every address of the contract lists all its methods in answers to others', async () => {
  const taken = new Map<string, string[]>()
  for (const { path, method } of Object.values<Endpoint>(api))
    taken.set(path, [...(taken.get(path) ?? []), method])
  for (const [path, methods] of taken)
    for (const method of (['GET', 'HEAD', 'POST', 'DELETE', 'PATCH'] as const).filter(
      (each) => !methods.includes(each),
    )) {
      const { statusCode, headers } = await send(
        path.replaceAll(/:\w+/g, 'some%20value').replace(/\/?$/, '/'),
        method,
      )
      expect([path, method, statusCode, headers.allow]).toEqual([path, method, 405, methods.join(', ')])
    }
})

// The framework treats QUERY as a body of unknown type.
test.each(['QUERY', 'PROPFIND', 'MKCOL', 'PURGE', 'SEARCH', 'REPORT', 'LINK'] as const)(
  '%s is implemented nowhere, with and without a body',
  async (method) => {
    for (const path of ['members/login', 'nothing', '/', '/nothing'])
      for (const payload of [undefined, '{}']) {
        const answer = await send(path, method, payload)
        expect([answer.statusCode, answer.json<Problem>().code]).toEqual([501, 'not_implemented'])
        expect(answer.headers.allow).toBe('GET, HEAD, POST, DELETE')
      }
  },
)
