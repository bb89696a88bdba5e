import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startMailServer, startSilentServer } from '#tests/setup/mail-server.ts'
import { makeProductLog } from '#tests/setup/product-log.ts'
import { startS3Server } from '#tests/setup/s3-server.ts'
import { readConfig } from '../platform/config/config.ts'
import { openStore } from '../platform/files/open-store.ts'
import { checkDependencies } from './check-dependencies.ts'

/** Returns what the log says after checking dependencies with these settings. */
async function said(settings: Record<string, string>, patience?: number): Promise<string[]> {
  const { log, sentences } = makeProductLog()
  const config = readConfig(settings)
  await checkDependencies({ config, files: openStore(config), log }, patience)
  return sentences()
}

async function aClosedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function aList(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'list-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'list.csv'), text)
  return join(folder, 'list.csv')
}

test('says nothing if everything works', async () => {
  const [mails, bucket] = [await startMailServer(), await startS3Server()]
  onTestFinished(async () => {
    await mails.close()
    await bucket.close()
  })
  const list = aList('name,born\nSample Person,1970\n')
  expect(await said({ SMTP_URL: mails.url, STORAGE_URL: bucket.url, SCREENING_LIST: list })).toEqual([])
  expect(mails.received).toEqual([])
  expect(bucket.objects.size).toBe(0)
})

test('distinguishes a missing, a hanging, and a rejecting mail server, without a password', async () => {
  const port = await aClosedPort()
  expect(await said({ SMTP_URL: `smtp://user:secret@127.0.0.1:${port}` })).toEqual([
    `The mail server 127.0.0.1:${port} in SMTP_URL isn’t running: nothing listens on its port. Emails stay in the outbox until it accepts them.`,
  ])
  const silent = await startSilentServer()
  onTestFinished(() => silent.close())
  expect(await said({ SMTP_URL: silent.url }, 100)).toEqual(['SMTP_URL: no response within 0.1 seconds.'])
})

test('reports a missing bucket, and one that rejects the key', async () => {
  const bucket = await startS3Server('KEY', 'another secret')
  onTestFinished(() => bucket.close())
  expect(
    await said({
      STORAGE_URL: bucket.url.replace('another%20secret', 'x').replace('another secret', 'SECRET'),
    }),
  ).toEqual([expect.stringMatching(/^The bucket at 127\.0\.0\.1:\d+ in STORAGE_URL rejects the key\. /)])
  const port = await aClosedPort()
  expect(await said({ STORAGE_URL: `http://KEY:SECRET@127.0.0.1:${port}/documents` })).toEqual([
    expect.stringMatching(/^The bucket at 127\.0\.0\.1:\d+ in STORAGE_URL isn’t responding\. /),
  ])
})

test.each([
  ['no such file', '/nowhere/list.csv', 'it is missing, so no one is screened'],
  ['a folder', tmpdir(), 'it isn’t a file'],
  [
    'no header',
    () => aList('Sample Person,1970\n'),
    'its first line has no column "name", so no one is screened',
  ],
  ['an empty file', () => aList(''), 'its first line has no column "name", so no one is screened'],
  [
    'other columns',
    () => aList('full_name;dob\n'),
    'its first line has no column "name", so no one is screened',
  ],
  [
    'no births',
    () => aList('name,dob\r\nSample Person,1970\n'),
    'its first line has no column "born", so dates of birth aren’t compared',
  ],
])('a list of persons: %s', async (_, file, fault) => {
  const path = typeof file === 'string' ? file : file()
  const lines = await said({ SCREENING_LIST: path })
  expect(lines).toEqual([`There’s a problem with the SCREENING_LIST file: ${fault}.`])
  expect(lines.join()).not.toContain('Sample')
})
