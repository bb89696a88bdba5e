import * as z from 'zod/mini'
import { scheduleFields } from './announcements.ts'
import { legalDocuments } from '../people/consents.ts'
import { contentProblem } from './content-rules.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { id, line, noBody, page, time, waitingFor } from '../platform/fields.ts'
import { settingChange, whoChanged } from '../people/settings.ts'

/** The maximum number of content items in one release. */
export const itemsAtOnceMax = 20
/**
 * The maximum number of changes listed per version, characters per text in that list, and versions kept per content
 * item.
 */
export const listedChangesMax = 20
export const listedTextLengthMax = 500
export const contentVersionsMax = 100
/** The maximum number of places per request, and the maximum size of a draft in bytes of JSON. */
const draftPlacesMax = 500
export const draftBytesMax = 200_000
const contentReasonLengthMax = 500
/** Lifetime of a preview link in minutes. The link stops working earlier if the editor's session ends. */
export const contentPreviewMinutes = 30

/**
 * A content item is edited and published as a whole: the texts of a message file in all languages (`messages/home`),
 * the emails about one topic (`mails/orders`), a data file (`facts/roadmap.json`), the brand (`brand.json`), or the
 * PDFs of one document.
 */
const contentItemKinds = ['messages', 'facts', 'brand', 'document'] as const
export type ContentItemKind = (typeof contentItemKinds)[number]
const itemPattern =
  /^((messages|mails)\/[a-z][a-z\d-]{0,60}|facts\/[a-z][a-z\d-]{0,60}\.json|brand\.json|documents\/[a-z\d][a-z\d-]{0,60})$/
export const contentItemName = z.string().check(z.maxLength(100, 'too_long'), z.regex(itemPattern, 'invalid'))

/** Changes that always require step-up authentication, and four-eyes approval if CONTENT_TWO_PERSONS lists them. */
export const sensitiveKinds = ['legal', 'links'] as const
export type SensitiveKind = (typeof sensitiveKinds)[number]

/** `proposed` awaits a second approval, `scheduled` its publication time. Both end when the release ends. */
export const releaseStates = [
  'proposed',
  'scheduled',
  'published',
  'cancelled',
  'declined',
  'overtaken',
  'expired',
  'failed',
] as const
export type ReleaseState = (typeof releaseStates)[number]

/**
 * Why a release ended automatically: its author or approver can no longer publish, it now needs a second approval,
 * neither of them can change the official list, it now breaks a rule, it would change something other than what was
 * reviewed, or a newer release or an import changed the content it is based on.
 */
const endCauses = [
  'author',
  'second',
  'takes_two',
  'official',
  'broken',
  'changed',
  'release',
  'command',
] as const
export type EndCause = (typeof endCauses)[number]

const contentRelease = z.object({
  id,
  state: z.enum(releaseStates),
  pieces: z.array(z.string()),
  /** Publication time. Null means as soon as it is approved. */
  publishAt: z.nullable(time),
  zone: z.nullable(z.string()),
  by: z.nullable(whoChanged),
  at: time,
  confirmedBy: z.nullable(whoChanged),
  /** Legal texts that get a new version, which members are then asked to accept. */
  newVersions: z.array(z.enum(legalDocuments)),
  /** Sensitive kinds that it changes. */
  sensitive: z.array(z.enum(sensitiveKinds)),
  /** Whether it changes the official list, which requires `coins` 2. */
  changesOfficial: z.boolean(),
  /** Differences from the published content, by piece. Left out in the list of ended releases. */
  changes: z.array(z.object({ piece: z.string(), changes: z.array(settingChange) })),
  /**
   * Whether the caller can approve it: it awaits a second approval, the caller is not its author, and one of the two
   * can change the official list if necessary.
   */
  mayConfirm: z.boolean(),
  /** For ended releases: when it ended, who ended it, the stated reason, and the automatically recorded cause. */
  ended: z.nullable(
    z.object({
      at: time,
      by: z.nullable(whoChanged),
      reason: z.string(),
      cause: z.nullable(z.enum(endCauses)),
    }),
  ),
})
export type ContentRelease = z.infer<typeof contentRelease>

const itemSummary = {
  piece: z.string(),
  kind: z.enum(contentItemKinds),
  /**
   * Incremented by every change of the draft or the published content. A change names the version it is based
   * on.
   */
  version: z.number(),
  /** Whether content published in the console overrides the file. */
  isPublished: z.boolean(),
  hasDraft: z.boolean(),
  /** Last change of the draft, otherwise of the published content. Null if the files are unchanged. */
  changedAt: z.nullable(time),
  changedBy: z.nullable(whoChanged),
  /** The pending release that contains it. */
  waiting: z.nullable(
    z.object({ id, state: z.enum(['proposed', 'scheduled']), publishAt: z.nullable(time) }),
  ),
  /** Number of texts that are missing in a language, including the draft. */
  missing: z.number(),
  /** Number of rules it breaks, including the draft. */
  problems: z.number(),
  /** Places whose text in the files has changed since they were published in the console. */
  outdated: z.array(z.string()),
  /** The published content breaks a rule of a newer release, so the file is used instead. */
  isLeftOut: z.boolean(),
}
const contentItem = z.object(itemSummary)
export type ContentItem = z.infer<typeof contentItem>

/** One place that has changed but is not published yet. */
const draftEntry = z.object({
  /**
   * `en.home.title` for a text; `en` or `cn` for a PDF; empty for a data file or the brand, which change as a whole.
   */
  place: z.string(),
  value: z.unknown(),
  version: z.number(),
  by: z.nullable(whoChanged),
  at: time,
})

/**
 * The value depends on the kind of item. Messages: `{ en: { key: text }, cn: … }`. Data: as in the file. Brand: the
 * editable parts. Document: `{ en: entry or null, cn: … }`.
 */
export const contentItemDetail = z.object({
  ...itemSummary,
  /** Value in the files of this installation. */
  file: z.unknown(),
  /** Value that visitors see. */
  published: z.unknown(),
  /** Value with the draft applied. */
  value: z.unknown(),
  draft: z.array(draftEntry),
  found: z.array(contentProblem),
  /** Sensitive kinds in the draft, which require a second approval or only step-up authentication. */
  sensitive: z.array(z.enum(sensitiveKinds)),
  /** Whether the draft changes the official list. Without `coins` 2, publishing creates a proposal. */
  changesOfficial: z.boolean(),
  /** The sensitive kinds that need a second approval in this installation. */
  twoPersons: z.array(z.enum(sensitiveKinds)),
  /** With `messages/legal`: the current versions of the legal texts. */
  legal: z.nullable(z.record(z.enum(legalDocuments), z.string())),
  changes: z.array(settingChange),
})
export type ContentItemDetail = z.infer<typeof contentItemDetail>

const ofItem = z.strictObject({ piece: contentItemName })
export const contentItemVersion = z.number().check(z.int(), z.gte(0), z.lte(2_000_000_000))
const given = z.array(z.strictObject({ piece: contentItemName, version: contentItemVersion })).check(
  z.minLength(1, 'required'),
  z.maxLength(itemsAtOnceMax, 'too_many'),
  z.refine((pieces) => new Set(pieces.map(({ piece }) => piece)).size === pieces.length, 'invalid'),
)
const toRelease = {
  pieces: given,
  newVersions: z._default(
    z.array(z.enum(legalDocuments, 'one_of')).check(z.maxLength(legalDocuments.length, 'too_many')),
    [],
  ),
}
const releaseErrors = [
  'not_found',
  'conflict',
  'content_broken',
  'content_waits',
  'step_up_required',
] as const

export const listContentItems = endpoint('GET', 'admin/content/pieces', {
  about:
    'List everything that visitors read and editors can change, with its status. The list is not paged, because its length is the number of files.',
  access: staff('news', 1),
  output: z.array(contentItem),
})

export const getContentItem = endpoint('GET', 'admin/content/piece', {
  about: 'Get one content item: its value in the files, its published value, its draft, and its problems.',
  access: staff('news', 1),
  query: ofItem,
  output: contentItemDetail,
  errors: ['not_found'],
})

export const saveContentDraft = endpoint('POST', 'admin/content/draft', {
  about:
    'Save changes to the draft of one content item without publishing them. `changes` maps places to values; null restores the published value. If someone else has changed one of the places since `version`, nothing is saved and the response is `conflict`, with their changes in `theirs`.',
  access: staff('news', 2),
  body: z.strictObject({
    piece: contentItemName,
    version: contentItemVersion,
    changes: z
      .record(line(120), z.unknown())
      .check(z.refine((changes) => Object.keys(changes).length <= draftPlacesMax, 'too_many')),
  }),
  output: contentItemDetail,
  errors: ['not_found', 'conflict', 'content_waits'],
})

export const discardContentDraft = endpoint('POST', 'admin/content/draft/discard', {
  about: 'Discard the draft of a content item.',
  access: staff('news', 2),
  body: z.strictObject({ piece: contentItemName, version: contentItemVersion }),
  output: contentItemDetail,
  errors: ['not_found', 'conflict', 'content_waits'],
})

export const checkContentDrafts = endpoint('POST', 'admin/content/check', {
  about: 'List the problems that publishing these drafts together would cause, place by place.',
  access: staff('news', 1),
  body: z.strictObject({
    pieces: z
      .array(contentItemName)
      .check(z.minLength(1, 'required'), z.maxLength(itemsAtOnceMax, 'too_many')),
  }),
  output: z.object({
    problems: z.array(contentProblem),
    sensitive: z.array(z.enum(sensitiveKinds)),
    /** Whether a second approval is required. */
    takesTwo: z.boolean(),
  }),
  errors: ['not_found'],
})

export const publishContent = endpoint('POST', 'admin/content/publish', {
  about:
    'Publish the drafts of these content items together. If four-eyes approval is required, a proposal is created instead; the same applies to changes of the official list if the caller lacks `coins` 2. Drafts that break a rule return `content_broken`, with the places in `broken`.',
  access: staff('news', 2),
  body: z.strictObject(toRelease),
  output: contentRelease,
  errors: releaseErrors,
})

export const scheduleContent = endpoint('POST', 'admin/content/schedule', {
  about:
    'Publish the drafts of these content items together at a later time. Until then the items cannot be changed. Canceling the release restores their drafts.',
  access: staff('news', 2),
  body: z.strictObject({ ...toRelease, ...scheduleFields }),
  output: contentRelease,
  errors: releaseErrors,
})

export const listContentReleases = endpoint('GET', 'admin/content/releases', {
  about:
    'List the releases that await approval or their publication time, or those that have ended, newest first.',
  access: staff('news', 1),
  query: z.extend(page, {
    state: z._default(z.enum(['waiting', 'ended', 'dropped'], 'one_of'), 'waiting'),
    /** Releases that the caller can approve. Applies only to `waiting`. */
    waitingFor,
  }),
  output: z.array(contentRelease),
})

export const confirmContentRelease = endpoint('POST', 'admin/content/releases/:id/confirm', {
  about:
    'Approve a proposed release as the second person, which publishes it now or at its scheduled time. Nobody can approve their own proposal. If the release changes the official list, one of the two people needs `coins` 2.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: contentRelease,
  errors: releaseErrors,
})

export const cancelContentRelease = endpoint('POST', 'admin/content/releases/:id/cancel', {
  about:
    'End a pending release: cancel a schedule, withdraw the caller’s own proposal, or decline another one with a reason. The drafts are kept.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: z._default(line(contentReasonLengthMax), '') }),
  output: contentRelease,
  errors: ['not_found', 'conflict'],
})

export const createContentPreview = endpoint('POST', 'admin/content/preview', {
  about: `Create a preview address that shows the pages with all drafts applied. It works for ${contentPreviewMinutes} minutes while the caller’s session lasts. Append a page path, such as \`cn/help\`. Preview pages run no scripts and can be framed by this site only.`,
  access: staff('news', 1),
  body: noBody,
  output: z.object({ address: z.string(), expiresAt: time }),
})
