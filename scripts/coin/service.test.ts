import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { isReady, openService, readyUrlOf, waitUntilReady } from './service.ts'

test('calls the service manager like systemctl, and reports what it printed', async () => {
  const folder = await makeTemporary('service')
  onTestFinished(() => removeTemporary(folder))
  const manager = join(folder, 'systemctl')
  writeFileSync(manager, `#!/bin/sh\necho "$@" >> ${folder}/calls\necho "no $2" >&2\n[ $2 = coin ]\n`, {
    mode: 0o755,
  })
  const service = openService({ COIN_SERVICE: ' coin  coin-b', COIN_SERVICE_MANAGER: manager })
  expect(service.units).toEqual(['coin', 'coin-b'])
  await service.start('coin')
  await service.stop('coin')
  expect([await service.isRunning('coin'), await service.isRunning('coin-b')]).toEqual([true, false])
  // A unit that can't be stopped because it doesn't run is as wanted.
  await service.stop('coin-b')
  await expect(service.start('coin-b')).rejects.toThrow(
    `The command ${manager} start coin-b failed: no coin-b`,
  )
  const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n')
  expect(calls.slice(0, 4)).toEqual(['start coin', 'stop coin', 'is-active coin', 'is-active coin-b'])
})

test('uses systemctl and the unit coin by default', async () => {
  expect(openService({}).units).toEqual(['coin'])
  const service = openService({ COIN_SERVICE_MANAGER: '/nonexistent' })
  await expect(service.start('coin')).rejects.toThrow('The command /nonexistent start coin failed: spawn')
})

test('finds the address of the first unit', () => {
  const urlOf = (environment: Record<string, string>) => readyUrlOf(environment)
  expect(urlOf({})).toBe('http://127.0.0.1:3000/v2/ready')
  expect(urlOf({ HOST: '0.0.0.0', PORT: '3001' })).toBe('http://127.0.0.1:3001/v2/ready')
  expect(urlOf({ HOST: '::1' })).toBe('http://[::1]:3000/v2/ready')
})

test('waits until the product is ready, up to a limit', async () => {
  let status = 503
  const server = createServer((_, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/ready`
  await expect(waitUntilReady(url, 500)).rejects.toThrow('The release isn’t ready after 0.5 seconds')
  setTimeout(() => (status = 200), 300)
  await waitUntilReady(url, 10_000)
  expect(await isReady(url)).toBe(true)
  expect(await isReady('http://127.0.0.1:1/')).toBe(false)
})
