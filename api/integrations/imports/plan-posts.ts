import * as z from 'zod/mini'
import { announcementFields } from '#contract/publishing/announcements.ts'
import { id } from '#contract/platform/fields.ts'
import type { AnnouncementContent } from '../../publishing/announcements/announcement.queries.ts'
import { listPostsWithIds, listTakenSlugs } from '../../publishing/announcements/imported-post.queries.ts'
import { makeSlug } from '../../publishing/announcements/make-slug.ts'
import { prepareApart } from '../../publishing/announcements/prepare-apart.ts'
import { contentOf } from '../../publishing/announcements/save-text.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { listMembersWithIds } from '../../people/members/imported-member.queries.ts'
import { Refused } from '../../platform/refused.ts'
import { isFault, problemAt, type ImportProblem } from './import-problem.ts'
import { reportRepeated, inParts, isSameIn, sortByStored, type Plan, type Planned } from './plan.ts'
import { pastTime, readAll } from './record-fields.ts'
import type { Columns, GivenRecords } from './read-records.ts'

export const postColumns = {
  id: ['_id'],
  title: [],
  category: [],
  language: ['lang'],
  content: [],
  slug: [],
  status: ['state'],
  createdBy: [],
  postedDate: ['publishedAt'],
  lastEdited: [],
} as const satisfies Columns
/** Fields that are computed from the text, and the byline, because only authors can choose to be named. */
export const postIgnored = ['contentSummary', 'readingMinutes', 'picture', 'byline', '__v']

const postRecord = z.object({
  id,
  ...announcementFields,
  slug: z.optional(z.string().check(z.refine((slug) => makeSlug(slug) === slug, 'slug'))),
  status: z.optional(z.enum(['published', 'draft'], 'one_of')),
  createdBy: z.optional(id),
  postedDate: z.optional(pastTime),
  lastEdited: z.optional(pastTime),
})

export type ImportedPost = {
  id: string
  title: string
  category: string
  language: AnnouncementContent['language']
  state: 'published' | 'draft'
  slug: string | undefined
  created_by: string | null
  posted_at: Date
  edited_at: Date | null
  /** Text as written in the earlier site's editor. */
  given: string
}

const compared = ['title', 'category', 'language', 'state'] as const satisfies (keyof ImportedPost)[]

export async function planPosts(
  db: Tx,
  given: GivenRecords,
  newMembers: ReadonlySet<string>,
): Promise<Plan<ImportedPost>> {
  const now = new Date()
  const { read, problems } = readAll(postRecord, given)
  const planned = read.map(({ place, value }) => {
    const row: ImportedPost = {
      id: value.id,
      title: value.title,
      category: value.category,
      language: value.language,
      state: value.status ?? 'published',
      slug: value.slug,
      created_by: value.createdBy ?? null,
      posted_at: value.postedDate ?? now,
      edited_at: value.lastEdited ?? null,
      given: value.content,
    }
    return { ...place, row }
  })
  const sorted = await sortByStored(db, reportRepeated(planned, problems), listPostsWithIds, (row, stored) =>
    isSameIn(row, stored, compared),
  )
  await requireFreeSlugs(db, sorted.made, problems)
  const unknown = await removeUnknownAuthors(db, sorted.made, newMembers)
  const remarks = unknown > 0 ? [`${unknown} have an unknown author and are imported without one`] : []
  return { ...sorted, problems, remarks }
}

/** Requires free addresses. A translation has the same address as its post, in its own language. */
async function requireFreeSlugs(
  db: Tx,
  made: readonly Planned<ImportedPost>[],
  problems: ImportProblem[],
): Promise<void> {
  const slugs = made.flatMap(({ row }) => row.slug ?? [])
  const placeOf = (slug: string, language: string | null) => `${language ?? '*'} ${slug}`
  const found = await inParts(slugs, (part) => listTakenSlugs(db, part))
  const taken = new Set(found.map(({ slug, language }) => placeOf(slug, language)))
  for (const each of made) {
    const { row } = each
    if (row.slug === undefined) continue
    const place = placeOf(row.slug, row.language)
    if (taken.has(place) || taken.has(placeOf(row.slug, null)))
      problems.push(problemAt(each, 'slug', 'slug_taken'))
    taken.add(place)
  }
}

async function removeUnknownAuthors(
  db: Tx,
  made: readonly Planned<ImportedPost>[],
  newMembers: ReadonlySet<string>,
): Promise<number> {
  const authors = [...new Set(made.flatMap(({ row }) => row.created_by ?? []))]
  const known = new Set((await inParts(authors, (ids) => listMembersWithIds(db, ids))).map((each) => each.id))
  const unknown = made.filter(
    ({ row }) => row.created_by !== null && !known.has(row.created_by) && !newMembers.has(row.created_by),
  )
  for (const { row } of unknown) row.created_by = null
  return unknown.length
}

/** Returns the stored forms of the texts by post ID. A dry run neither stores nor decodes pictures. */
export async function prepareTexts(
  store: { db: Database; files: FileStore },
  made: readonly Planned<ImportedPost>[],
  isDry: boolean,
  problems: ImportProblem[],
): Promise<Map<string, AnnouncementContent>> {
  const texts = new Map<string, AnnouncementContent>()
  for (const each of made)
    try {
      const { row } = each
      const { id: postId, title, category, language, given: content } = row
      if (!isDry) texts.set(postId, await contentOf(store, { title, category, language, content }))
      else if ((await prepareApart(content)).isEmpty && !content.includes('data:image/'))
        problems.push(problemAt(each, 'content', 'text_empty'))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const code = error.fields[0]?.code ?? ''
      const fault = code === 'required' ? 'text_empty' : isFault(code) ? code : 'invalid'
      problems.push(problemAt(each, 'content', fault))
    }
  return texts
}
