import { execFileSync } from 'node:child_process'
import { inflateSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplicant, aPicture, aSignedInMember } from '#tests/builders.ts'
import { judgePhoto } from '#tests/setup/judge-photo.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started
const officer = await aSignedInMember(started, { manage_finance: 2, display_name: '李 Officer' })

async function aCase(name: string, photos = 1) {
  const member = await aSignedInMember(started)
  const photoUrls = await Promise.all(
    Array.from({ length: photos }, (_, n) => aPicture('jpeg', { width: 640 + n, height: 480 })),
  )
  const body = { ...anApplicant(member.email), firstName: name, photoUrls }
  const answer = await call(api.createKyc, { body }, { token: member.token })
  return { id: answer.body._id, member }
}

const pdfOf = async (id: string, language = 'en') => {
  const answer = await call(
    api.exportKycCaseAsPdf,
    { params: { id } },
    { token: officer.token, headers: { 'accept-language': language } },
  )
  return { ...answer, pdf: answer.body as Buffer }
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

/** Returns the text of the PDF as found by a search; null if pdftotext is not installed. */
function textOf(pdf: Buffer): string | null {
  try {
    return execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Returns the drawing commands of every page, as compressed by the writer. */
const drawingsOf = (pdf: Buffer): string =>
  [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)]
    .map(([, packed]) => {
      try {
        return inflateSync(Buffer.from(packed!, 'latin1')).toString('latin1')
      } catch {
        return ''
      }
    })
    .join('\n')

test.each([
  ['en', 'Rejected', 'Audit log', 'case-'],
  ['zh-CN', '不可用', '审计日志', encodeURIComponent('身份认证申请-')],
])(
  'exports a case as PDF in %s: details, verdicts, history, log, and a page per picture',
  async (language, ...words) => {
    const { id, member } = await aCase('王小明 Łukasz', 2)
    await judgePhoto(started, officer, id, 1, { verdict: 'refused', reason: '照片模糊' })
    const { status, headers, pdf } = await pdfOf(id, language)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-disposition']).toContain(`UTF-8''${words[2]}${id.slice(0, 8)}.pdf`)
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    // Only the characters used are embedded, not whole fonts: the Chinese font alone has 2.5 MB.
    expect(pdf.length).toBeLessThan(400_000)
    expect(pdf.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2)
    const text = textOf(pdf)
    if (text === null) return
    const log = await services.db.selectFrom('audit_entry').selectAll().where('subject_id', '=', id).execute()
    for (const wanted of [
      '王小明',
      member.email,
      `李 Officer (${officer.email})`,
      '照片模糊',
      words[0],
      words[1],
      `1 / ${pagesOf(pdf)}`,
      `${pagesOf(pdf)} / ${pagesOf(pdf)}`,
      'kyc-photo-judged',
      'kyc-exported',
      ...log.map(({ hash }) => hash!.toString('hex')),
    ])
      expect(text).toContain(wanted)
  },
)

test('draws a box for a character without a font, and spreads a long reason over pages', async () => {
  const boxesOn = async (id: string) => drawingsOf((await pdfOf(id)).pdf).match(/ re\n/g)?.length ?? 0
  expect(await boxesOn((await aCase('Sample')).id)).toBe(0)
  const { id } = await aCase('한국 😀')
  expect(await boxesOn(id)).toBe(3)
  const before = pagesOf((await pdfOf(id)).pdf)
  const reason = `${'word '.repeat(150)}\n${'长'.repeat(500)}\n${'x'.repeat(600)}`
  await call(
    api.decideKycCase,
    { params: { id }, body: { status: 'rejected', reason, note: reason } },
    { token: officer.token },
  )
  expect(pagesOf((await pdfOf(id)).pdf)).toBeGreaterThan(before)
})

test('logs the export, shows it to its applicant, and limits exports per hour', async () => {
  const { id, member } = await aCase('Sample')
  expect((await pdfOf('unknown')).status).toBe(404)
  expect((await pdfOf(id)).status).toBe(200)
  const entry = await services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_id', 'detail'])
    .where('subject_id', '=', id)
    .executeTakeFirstOrThrow()
  const mark: unknown = expect.stringMatching(/^[0-9a-f]{8}$/)
  expect(entry).toEqual({
    action: 'kyc-exported',
    actor_id: officer.id,
    detail: { format: 'pdf', mark },
  })
  const history = await call(api.getKycHistory, { params: { id } }, { token: member.token })
  expect(history.body.views).toEqual([expect.objectContaining({ by: '李 Officer', what: 'record' })])
  const reader = await aSignedInMember(started, { manage_finance: 1 })
  expect((await call(api.exportKycCaseAsPdf, { params: { id } }, { token: reader.token })).status).toBe(403)
  const greedy = await aSignedInMember(started, { manage_finance: 2 })
  const take = () => call(api.exportKycCase, { params: { id } }, { token: greedy.token })
  for (let n = 0; n < 60; n += 1) expect((await take()).status).toBe(200)
  expect((await take()).status).toBe(429)
})

test('exports a case without pictures if they were destroyed', async () => {
  const { id } = await aCase('Sample')
  await services.db
    .updateTable('kyc_application')
    .set({ sealed_data_key: null, photo_count: 0 })
    .where('id', '=', id)
    .execute()
  const { status, pdf } = await pdfOf(id)
  expect(status).toBe(200)
  expect(pdf.toString('latin1')).not.toContain('/Subtype /Image')
})
