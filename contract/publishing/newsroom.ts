import * as z from 'zod/mini'
import {
  announcement,
  announcementFields,
  announcementStates,
  category,
  categoryNames,
  contentLengthMax,
  deleteAnnouncement,
  presentationFields,
  scheduleFields,
  titleLengthMax,
  updateAnnouncement,
} from './announcements.ts'
import { bulk } from '../platform/bulk.ts'
import { anyone, endpoint, staff } from '../platform/endpoint.ts'
import { done, timeInput, id, language, line, MIB, noBody, page, text, time } from '../platform/fields.ts'
import { searchLengthMax } from '../platform/patterns.ts'
import { languages } from '../platform/languages.ts'
import { type FiltersOf, resource } from '../platform/resource.ts'
import { postReads } from './reads.ts'

/** How long a preview link works, unless it is revoked. */
export const previewDays = 7
/** How far ahead a post may be scheduled. */
export const scheduleDaysMax = 366
/** The maximum number of autosaves per editor; the oldest is deleted when one more arrives. */
export const autosavesMax = 50
/** The maximum total size of their text in bytes; the newest is always kept. */
export const autosavesBytesMax = 16 * MIB

const editor = z.object({ id: z.string(), name: z.string() })

/** A post in the newsroom, in any state, without its content and presentation. */
const newsroomPost = z.object({
  ...z.omit(announcement, {
    content: true,
    contentSummary: true,
    readingMinutes: true,
    picture: true,
    byline: true,
  }).shape,
  state: z.enum(announcementStates),
  /** For scheduled posts: the publication time, and the time zone in which it was chosen. */
  publishAt: z.nullable(time),
  zone: z.nullable(z.string()),
  /** For posts in the trash: when they were deleted, and when they will be purged. */
  deletedAt: z.nullable(time),
  goneAt: z.nullable(time),
  editedBy: z.nullable(editor),
  /** Last change of text, state, or address. The list is sorted by it. */
  changedAt: time,
  /** The version of the same post in the other language. */
  sibling: z.nullable(z.object({ _id: id, language, title: z.string(), state: z.enum(announcementStates) })),
  /** Number of saved versions. */
  version: z.number(),
  /** How many readers it had in the last 28 days and in total. */
  reads: postReads,
})
export type NewsroomPost = z.infer<typeof newsroomPost>

const newsroomPostWhole = z.extend(newsroomPost, {
  content: z.string(),
  picture: announcement.shape.picture,
  byline: announcement.shape.byline,
})
export type NewsroomPostWhole = z.infer<typeof newsroomPostWhole>

/** A saved version of a post. It never changes. */
const postVersion = z.object({
  n: z.number(),
  savedAt: time,
  savedBy: z.nullable(editor),
  title: z.string(),
  category: z.string(),
  language,
  /** When it was first published; null if it never was. */
  publishedAt: z.nullable(time),
  /** The version that was restored to create this one. */
  restoredFrom: z.nullable(z.number()),
})
export type PostVersion = z.infer<typeof postVersion>

/** Unsaved text of an editor. One per post, and any number for posts that do not exist yet. */
export const autosave = z.object({
  id,
  postId: z.nullable(id),
  /** The post that it will be a translation of. */
  translationOf: z.nullable(id),
  /** Title of the post that it edits or translates. */
  postTitle: z.nullable(z.string()),
  title: z.string(),
  category: z.string(),
  language,
  /** The stored post's `lastEdited` when editing began. */
  basedOn: z.nullable(time),
  savedAt: time,
})
export type Autosave = z.infer<typeof autosave>

const postParams = z.strictObject({ id })
const lastEdited = z.optional(z.nullable(time))

/** Sorted by the last change, newest first. */
export const newsroomPosts = resource({
  path: 'admin/news/posts',
  name: 'newsroom',
  about:
    'List posts of one status, or of all statuses except the trash, last changed first. Filter by language, by words in the title, or by missing translation.',
  access: staff('news', 1),
  auditsAccess: { without: 'The posts are about the project, not about people.' },
  row: newsroomPost,
  filters: {
    state: z.optional(z.enum(announcementStates, 'one_of')),
    language: z.optional(z.enum(languages, 'one_of')),
    q: z.optional(line(searchLengthMax)),
    /** Posts without a version in this language. */
    missing: z.optional(z.enum(languages, 'one_of')),
    /** Scheduled posts that are overdue or due by the end of today (UTC). */
    due: z.optional(z.literal('today', 'one_of')),
  },
  isPageFirst: true,
  palette: 'q',
  file: {
    about: 'Export the same list as CSV, all pages, without the texts.',
    stepUp: { without: 'The posts are about the project, not about people.' },
  },
  detail: { about: 'Get one post of any status, with its content.', output: newsroomPostWhole },
})
export const { list: listNewsroomPosts, file: exportNewsroomPosts, get: getNewsroomPost } = newsroomPosts
export type NewsroomFilters = FiltersOf<typeof newsroomPosts>

export const publishPost = endpoint('POST', 'admin/news/posts/:id/publish', {
  about: 'Publish a draft or a scheduled post now.',
  access: staff('news', 2),
  params: postParams,
  body: z.strictObject({ lastEdited }),
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const schedulePost = endpoint('POST', 'admin/news/posts/:id/schedule', {
  about: 'Schedule a draft for a future time, or reschedule a scheduled post.',
  access: staff('news', 2),
  params: postParams,
  body: z.strictObject({ ...scheduleFields, lastEdited }),
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const unpublishPost = endpoint('POST', 'admin/news/posts/:id/unpublish', {
  about: 'Turn a published or scheduled post back into a draft.',
  access: staff('news', 2),
  params: postParams,
  body: noBody,
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const unpublishPosts = bulk(unpublishPost, 'admin/news/posts/bulk/unpublish', {
  about: 'Turn several published or scheduled posts back into drafts, or preview what would happen to each.',
  input: {},
})

export const deletePosts = bulk(deleteAnnouncement, 'admin/news/posts/bulk/delete', {
  about: 'Move several posts to the trash, or preview what would happen to each.',
  input: {},
})

/** The version of a row is its `lastEdited`, which is empty if it was never edited. */
export const changePostCategories = bulk(updateAnnouncement, 'admin/news/posts/bulk/category', {
  about: 'Change the category of several posts, or preview what would happen to each.',
  input: { category },
})

export const restorePost = endpoint('POST', 'admin/news/posts/:id/restore', {
  about:
    'Restore a post from the trash to its previous status. If its scheduled time has passed, it is restored as a draft.',
  access: staff('news', 2),
  params: postParams,
  body: noBody,
  output: newsroomPost,
  errors: ['not_found'],
})

export const linkTranslations = endpoint('POST', 'admin/news/posts/:id/link', {
  about:
    'Link a post as the translation of another one. It moves to the address of that post, and its old address redirects there.',
  access: staff('news', 2),
  params: postParams,
  body: z.strictObject({ translationOf: id }),
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const unlinkTranslation = endpoint('POST', 'admin/news/posts/:id/unlink', {
  about:
    'Unlink a translation, which becomes a separate post at a new address. The post that it was linked to keeps the shared address.',
  access: staff('news', 2),
  params: postParams,
  body: noBody,
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const listPostVersions = endpoint('GET', 'admin/news/posts/:id/versions', {
  about: 'List the saved versions of a post, newest first.',
  access: staff('news', 1),
  params: postParams,
  query: page,
  output: z.array(postVersion),
  errors: ['not_found'],
})

const versionParams = z.strictObject({ id, n: z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)) })

export const getPostVersion = endpoint('GET', 'admin/news/posts/:id/versions/:n', {
  about: 'Get one saved version with its content.',
  access: staff('news', 1),
  params: versionParams,
  output: z.extend(postVersion, { content: z.string() }),
  errors: ['not_found'],
})

export const restorePostVersion = endpoint('POST', 'admin/news/posts/:id/versions/:n/restore', {
  about: 'Restore an earlier version by saving it as the newest one. The versions in between are kept.',
  access: staff('news', 2),
  params: versionParams,
  body: z.strictObject({ lastEdited }),
  output: newsroomPost,
  errors: ['not_found', 'conflict'],
})

export const createPreview = endpoint('POST', 'admin/news/posts/:id/preview', {
  about:
    'Create a link with which anyone can read the current version of the post for 7 days. An earlier link stops working.',
  access: staff('news', 2),
  params: postParams,
  body: noBody,
  output: z.object({ token: z.string(), expiresAt: time }),
  errors: ['not_found'],
})

export const endPreview = endpoint('DELETE', 'admin/news/posts/:id/preview', {
  about: 'Revoke the preview link of a post.',
  access: staff('news', 2),
  params: postParams,
  output: done('ended'),
  errors: ['not_found'],
})

export const readPreview = endpoint('GET', 'announcements/previews/:token', {
  about: 'Get the post behind a preview link, whatever its status.',
  access: anyone,
  params: z.strictObject({ token: line(64) }),
  output: z.object({
    post: announcement,
    state: z.enum(announcementStates),
    publishAt: z.nullable(time),
    zone: z.nullable(z.string()),
  }),
  errors: ['not_found'],
})

export const listAutosaves = endpoint('GET', 'admin/news/working-copies', {
  about: 'List the caller’s autosaves without their content, newest first.',
  access: staff('news', 2),
  output: z.array(autosave),
})

export const getAutosave = endpoint('GET', 'admin/news/working-copies/:id', {
  about:
    'Get one of the caller’s autosaves with its content, and what it changes about how the post is presented.',
  access: staff('news', 2),
  params: postParams,
  output: z.extend(autosave, { content: z.string(), ...presentationFields }),
  errors: ['not_found'],
})

export const saveAutosave = endpoint('POST', 'admin/news/working-copies', {
  about:
    'Save an autosave. No field is required, and the HTML is sanitized only when the post is saved. An autosave that was saved as a post or discarded cannot be saved again and returns `not_found`.',
  access: staff('news', 2),
  bodyBytesMax: 2 * MIB,
  body: z.strictObject({
    /** Generated by the browser when the form opens, so that a repeated call stores one copy. */
    id: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'invalid')),
    postId: z.nullable(id),
    /** The post that the new one will be a translation of. */
    translationOf: z.nullable(id),
    title: line(titleLengthMax),
    category: z.enum(['', ...categoryNames], 'one_of'),
    language: announcementFields.language,
    content: text(contentLengthMax),
    ...presentationFields,
    basedOn: z.nullable(timeInput),
  }),
  output: z.object({ id, savedAt: time }),
  errors: ['not_found'],
})

export const discardAutosave = endpoint('DELETE', 'admin/news/working-copies/:id', {
  about: 'Discard an autosave.',
  access: staff('news', 2),
  params: postParams,
  output: done('dropped'),
  errors: ['not_found'],
})
