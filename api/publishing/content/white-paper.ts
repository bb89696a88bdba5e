import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { api } from '#contract/api.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { WhitePaper, WhitePaperFile } from '#contract/publishing/white-paper.ts'
import { contentFolder } from '../../platform/site-content/content-folder.ts'
import { dayIn } from '../../platform/text/format-time.ts'
import type { Handler } from '../../platform/http/handler.ts'
import type { Services } from '../../platform/services.ts'
import type { ListedDocument } from '../../platform/site-content/site-content.ts'
import { findPublishedDocument } from './editing/open-content-file.ts'

type Words<Shape> = Partial<Record<Language, Shape>>
/** Same shape as in the content rules (`rules/fact-schemas.ts`). */
type Facts = {
  note?: 'sample'
  issuer: {
    email: string
    phone?: string
    website?: string
    lei?: string
  } & Words<{ name: string; role: string; address: string[]; registered?: string }>
  isUtility: boolean
  notifiedOn?: string
  versions: ({ id: string; date: string; version: string; document: string; note?: 'sample' } & Words<{
    change: string
  }>)[]
}

export const readWhitePaper: Handler<typeof api.readWhitePaper> = async (_, services) => ({
  whitePaper: await findWhitePaper(services),
})

export async function findWhitePaper(services: Services): Promise<WhitePaper | null> {
  const facts = services.content.facts('facts/white-paper.json') as Facts | undefined
  if (!facts) return null
  const { days, timeZone } = services.config.withdrawals
  const today = dayIn(timeZone, new Date())
  const begun = facts.versions
    .filter(({ date }) => date <= today)
    .toSorted((a, b) => b.date.localeCompare(a.date))
  const versions = await Promise.all(
    begun.map(async (version) => ({
      id: version.id,
      date: version.date,
      version: version.version,
      isSample: version.note === 'sample',
      words: inEach(version),
      files: await filesOf(services, version.document),
    })),
  )
  // The valid version stays first even without its file, because older ones are no longer valid.
  if (versions.every(({ files }) => files.length === 0)) return null
  const { email, phone, website, lei, ...words } = facts.issuer
  return {
    isSample: facts.note === 'sample',
    issuer: { email, phone, website, lei, words },
    isUtility: facts.isUtility,
    notifiedOn: facts.notifiedOn,
    versions,
    withdrawalDays: days,
    timeZone,
  }
}

const inEach = <Shape>(entry: Words<Shape>): Words<Shape> =>
  Object.fromEntries(languages.flatMap((each) => (entry[each] ? [[each, entry[each]]] : [])))

/** Lists files that are currently available; withdrawn or missing ones are left out. */
async function filesOf(services: Services, base: string): Promise<WhitePaperFile[]> {
  const listed = services.content.documents().filter((each) => each.base === base)
  const files = await Promise.all(
    listed.map(async (entry) => {
      const sha256 = await hashOf(services, entry)
      return sha256 === undefined
        ? []
        : [
            {
              language: entry.language as Language,
              title: entry.title,
              address: `/assets/pdfs/${entry.file}`,
              pages: entry.pages,
              bytes: entry.bytes,
              sha256,
            },
          ]
    }),
  )
  return files.flat()
}

/** Hashes of unchanged files, by path, size, and modification time. */
const known = new Map<string, string>()

/**
 * Returns the hash of the bytes themselves, because a list might be out of date. An uploaded file is stored under its
 * hash.
 */
async function hashOf(services: Services, entry: ListedDocument): Promise<string | undefined> {
  const uploaded = findPublishedDocument(services, entry.file)
  if (uploaded === null) return undefined
  if (uploaded) return entry.sha256
  const path = join(contentFolder, 'media/pdfs', entry.file)
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const key = `${path} ${found.size} ${found.mtimeMs}`
  const before = known.get(key)
  if (before) return before
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  const sha256 = hash.digest('hex')
  known.set(key, sha256)
  return sha256
}
