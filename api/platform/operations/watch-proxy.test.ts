import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { makeProductLog } from '#tests/setup/product-log.ts'
import { watchProxy } from './watch-proxy.ts'

async function said(
  trustProxy: false | string,
  publicUrl: string,
  requests: { remoteAddress: string; forwarded?: string }[],
): Promise<string[]> {
  const { logger, sentences } = makeProductLog('warn')
  const app = Fastify({ trustProxy, logger })
  watchProxy(app, { publicUrl: new URL(publicUrl), trustProxy }, { isStopping: false })
  app.get('/', () => 'here')
  for (const { remoteAddress, forwarded } of requests)
    await app.inject({
      url: '/',
      remoteAddress,
      ...(forwarded && { headers: { 'x-forwarded-for': forwarded } }),
    })
  await app.close()
  return sentences()
}

const forwarded = { remoteAddress: '10.0.0.1', forwarded: '203.0.113.9' }

test('reports a forwarded address from an untrusted sender once, naming no one', async () => {
  const lines = await said(false, 'http://localhost:3000', [forwarded, forwarded, forwarded])
  expect(lines).toEqual([expect.stringMatching(/X-Forwarded-For.*TRUST_PROXY/)])
  expect(lines.join()).not.toMatch(/10\.0\.0\.1|203\.0\.113\.9/)
  expect(await said('10.9.9.9', 'http://localhost:3000', [forwarded])).toHaveLength(1)
})

test('ignores a trusted proxy and a direct visitor', async () => {
  expect(await said('10.0.0.1', 'https://coin.example', [forwarded])).toEqual([])
  expect(await said(false, 'http://localhost:3000', [{ remoteAddress: '203.0.113.9' }])).toEqual([])
})

test('reports https without a named proxy at startup', async () => {
  expect(await said(false, 'https://coin.example', [])).toEqual([
    expect.stringMatching(/PUBLIC_URL uses https.*TRUST_PROXY/),
  ])
})
