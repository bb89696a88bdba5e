import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import words from '#content/messages/en/white-paper.json' with { type: 'json' }
import sample from '#content/facts/white-paper.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import { DAY } from '#contract/platform/durations.ts'
import { contentFolder } from '../../platform/site-content/content-folder.ts'
import { dayIn } from '../../platform/text/format-time.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { whitePaper } from './rules/fact-schemas.ts'

const paperOf = async (settings: Record<string, string> = {}, facts?: object) => {
  const started = await startApi(settings)
  if (facts) started.services.content.override(new Map([['facts/white-paper.json', facts]]))
  return (await started.call(api.readWhitePaper, {})).body.whitePaper
}

test('lists each file with the hash of its bytes, in both languages', async () => {
  const paper = await paperOf({ WITHDRAWAL_DAYS: '14', WITHDRAWAL_TIME_ZONE: 'Europe/Paris' })
  expect(paper).toMatchObject({ withdrawalDays: 14, timeZone: 'Europe/Paris', isSample: true })
  const { files } = paper!.versions[0]!
  expect(files.map(({ language }) => language).toSorted()).toEqual(['cn', 'en'])
  for (const { address, sha256, bytes } of files) {
    const pdf = readFileSync(join(contentFolder, 'media/pdfs', address.split('/').at(-1)!))
    expect([sha256, bytes]).toEqual([createHash('sha256').update(pdf).digest('hex'), pdf.length])
  }
})

test('the newest version applies, and earlier ones stay', async () => {
  const [one] = sample.versions
  const older = { ...one!, id: 'v1-0', version: '1.0', date: '2025-05-01', document: 'brochure' }
  const paper = await paperOf({}, { ...sample, versions: [older, one] })
  expect(paper!.versions.map(({ id }) => id)).toEqual([one!.id, 'v1-0'])
  expect(paper!.versions[1]!.files.map(({ address }) => address)).toContain('/assets/pdfs/brochure-en.pdf')
  expect(paper!.withdrawalDays).toBe(0)
})

test('lists a future version only from its date, in the withdrawal time zone', async () => {
  const [one] = sample.versions
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
  const later = { ...one!, id: 'v2-0', version: '2.0', date: inDays(2), document: 'brochure' }
  const versionsOf = async (versions: object[], timeZone = 'UTC') =>
    (await paperOf({ WITHDRAWAL_TIME_ZONE: timeZone }, { ...sample, versions }))?.versions.map(({ id }) => id)
  expect(await versionsOf([one!, later])).toEqual([one!.id])
  expect(await versionsOf([later])).toBeUndefined()
  expect(await versionsOf([one!, { ...later, date: inDays(0) }])).toEqual(['v2-0', one!.id])
  // At any hour, one of these two time zones has another date than here.
  for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12'])
    expect(await versionsOf([one!, { ...later, date: dayIn(timeZone, new Date()) }], timeZone)).toEqual([
      'v2-0',
      one!.id,
    ])
})

test('the newest version applies even without its file, and no older one replaces it', async () => {
  const [one] = sample.versions
  const newer = { ...one!, id: 'v2-0', version: '2.0', date: '2026-11-21', document: 'taken-back' }
  const { versions } = (await paperOf({}, { ...sample, versions: [one, newer] }))!
  expect(versions.map(({ id, files }) => [id, files.length])).toEqual([
    ['v2-0', 0],
    [one!.id, 2],
  ])
})

test('publishes nothing without a version or its file', async () => {
  expect(await paperOf({}, { ...sample, versions: [] })).toBeNull()
  const [one] = sample.versions
  expect(await paperOf({}, { ...sample, versions: [{ ...one, document: 'not-there' }] })).toBeNull()
})

test('each version has its own files, and a valid identifier', () => {
  const [one] = sample.versions
  const problemsOf = (facts: unknown) =>
    whitePaper.safeParse(facts).error?.issues.map(({ path }) => path.join('.'))
  expect(problemsOf(sample)).toBeUndefined()
  expect(problemsOf({ ...sample, versions: [one, { ...one, id: 'v0' }] })).toEqual(['versions.1.document'])
  const withLei = (lei: string) => problemsOf({ ...sample, issuer: { ...sample.issuer, lei } })
  // The example of ISO 17442.
  expect(withLei('5493001KJTIIGC8Y1R12')).toBeUndefined()
  expect(withLei('5493001KJTIIGC8Y1R13')).toEqual(['issuer.lei'])
})

/** Regulation (EU) 2023/1114, articles 6(3), 6(5) and 7(1), letter (e). */
test('the English notices match the regulation word for word', () => {
  expect(words).toMatchObject({
    'whitePaper.statement.approval':
      'This crypto-asset white paper has not been approved by any competent authority in any Member State of the European Union. The offeror of the crypto-asset is solely responsible for the content of this crypto-asset white paper.',
    'whitePaper.marketing.statement':
      'This crypto-asset marketing communication has not been reviewed or approved by any competent authority in any Member State of the European Union. The offeror of the crypto-asset is solely responsible for the content of this crypto-asset marketing communication.',
  })
  const said = Object.entries(words).flatMap(([key, text]) =>
    key.startsWith('whitePaper.risks.') ? text : [],
  )
  for (const part of [
    'may lose its value in part or in full',
    'may not always be transferable',
    'may not be liquid',
    'utility token may not be exchangeable against the good or service promised in the crypto-asset white paper, in particular in the case of a failure or discontinuation of the crypto-asset project',
    'is not covered by the investor compensation schemes under Directive 97/9/EC',
    'is not covered by the deposit guarantee schemes under Directive 2014/49/EU',
  ])
    expect(said.filter((text) => text.includes(part))).toHaveLength(1)
})
