import * as z from 'zod/mini'
import { scheduleFields } from './announcements.ts'
import { legalDocuments } from './consents.ts'
import { contentProblem } from './content-rules.ts'
import { endpoint, staff } from './endpoint.ts'
import { id, line, noBody, page, time } from './fields.ts'
import { settingChange, whoChanged } from './settings.ts'

/** How many pieces are published together at most. */
export const piecesAtOnceMax = 20
/** How many versions of a piece are kept; how many changes of each a list shows, and how many characters of each text. */
export const listedChangesMax = 20
export const listedTextLengthMax = 500
export const contentVersionsMax = 100
/** How many places one call changes, and how many bytes a draft may have as JSON. */
export const draftPlacesMax = 500
export const draftBytesMax = 200_000
export const contentReasonLengthMax = 500
/** How long a preview link works after it was made; it ends earlier with the editor's session. */
export const contentPreviewMinutes = 30

/**
 * What is edited and published as one: the words of a message file in all languages (`messages/home`), those of mails about
 * one matter (`mails/orders`), a list of facts (`facts/roadmap.json`), the brand (`brand.json`), the PDFs of one document.
 */
export const pieceKinds = ['messages', 'facts', 'brand', 'document'] as const
export type PieceKind = (typeof pieceKinds)[number]
const piecePattern =
  /^((messages|mails)\/[a-z][a-z\d-]{0,60}|facts\/[a-z][a-z\d-]{0,60}\.json|brand\.json|documents\/[a-z\d][a-z\d-]{0,60})$/
export const pieceName = z.string().check(z.maxLength(100, 'too_long'), z.regex(piecePattern, 'invalid'))

/** What takes a second person to publish, where CONTENT_TWO_PERSONS says so, and fresh proof always. */
export const sensitiveKinds = ['legal', 'links'] as const
export type SensitiveKind = (typeof sensitiveKinds)[number]

/** `proposed` waits for a second person, `scheduled` for its time. Both are over when the release is. */
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
 * Why something ended that nobody ended: its author or the second person may not publish any more, it takes a second person
 * by now, none of them may change the official list, it breaks a rule by now, it would change something else than what was looked at, or a newer release or an import
 * changed what lies below it.
 */
export const endCauses = [
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

export const contentRelease = z.object({
  id,
  state: z.enum(releaseStates),
  pieces: z.array(z.string()),
  /** When it is to be published; null: as soon as a second person confirms it. */
  publishAt: z.nullable(time),
  zone: z.nullable(z.string()),
  by: z.nullable(whoChanged),
  at: time,
  confirmedBy: z.nullable(whoChanged),
  /** Legal texts of which this makes a new version that members are asked to accept. */
  newVersions: z.array(z.enum(legalDocuments)),
  /** What of it takes a second person. */
  sensitive: z.array(z.enum(sensitiveKinds)),
  /** Whether the official list would say something else, which takes the right to change that list (`coins` 2). */
  changesOfficial: z.boolean(),
  /** What differs from what is published, by piece. Not in the list of those that are over. */
  changes: z.array(z.object({ piece: z.string(), changes: z.array(settingChange) })),
  /** Whether the caller may confirm it: it waits for a second person, they are one, and the right to change the official list is not missing. */
  mayConfirm: z.boolean(),
  /** Once it is over: when, by whom, in whose words why, and what the program knows of it. */
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

const pieceSummary = {
  piece: z.string(),
  kind: z.enum(pieceKinds),
  /** Counts every change of its draft and of what is published; what a change is based on. */
  version: z.number(),
  /** Whether something published in the console lies over the file. */
  isPublished: z.boolean(),
  hasDraft: z.boolean(),
  /** The last change: of the draft where there is one, else of what is published. Null: as the files say. */
  changedAt: z.nullable(time),
  changedBy: z.nullable(whoChanged),
  /** The release of it that waits. */
  waiting: z.nullable(
    z.object({ id, state: z.enum(['proposed', 'scheduled']), publishAt: z.nullable(time) }),
  ),
  /** How many texts lack a language, with the draft. */
  missing: z.number(),
  /** How many rules it breaks, with the draft. */
  problems: z.number(),
  /** Places that a newer release of the program says otherwise than when they were published here. */
  outdated: z.array(z.string()),
  /** What was published breaks a rule of a newer release, and the file is shown instead. */
  isLeftOut: z.boolean(),
}
export const contentPiece = z.object(pieceSummary)
export type ContentPiece = z.infer<typeof contentPiece>

/** One place that somebody has changed and not published. */
export const draftEntry = z.object({
  /** `en.home.title` for a text; `en` or `cn` for a PDF; empty for a list or the brand, which are changed whole. */
  place: z.string(),
  value: z.unknown(),
  version: z.number(),
  by: z.nullable(whoChanged),
  at: time,
})

/**
 * Messages: `{ en: { key: text }, cn: … }`. A list: as in its file. The brand: its parts that can be changed. A document:
 * `{ en: entry or null, cn: … }`.
 */
export const contentPieceWhole = z.object({
  ...pieceSummary,
  /** As the files of the running program say. */
  file: z.unknown(),
  /** As visitors read it. */
  published: z.unknown(),
  /** With the draft laid over. */
  value: z.unknown(),
  draft: z.array(draftEntry),
  found: z.array(contentProblem),
  /** What of the draft takes a second person, or fresh proof alone. */
  sensitive: z.array(z.enum(sensitiveKinds)),
  /** Whether the official list would say something else: without `coins` 2, publishing the draft proposes it. */
  changesOfficial: z.boolean(),
  /** The kinds that take a second person here. */
  twoPersons: z.array(z.enum(sensitiveKinds)),
  /** With `messages/legal`: the current versions of the legal texts. */
  legal: z.nullable(z.record(z.enum(legalDocuments), z.string())),
  changes: z.array(settingChange),
})
export type ContentPieceWhole = z.infer<typeof contentPieceWhole>

const ofPiece = z.strictObject({ piece: pieceName })
export const pieceVersion = z.number().check(z.int(), z.gte(0), z.lte(2_000_000_000))
const given = z.array(z.strictObject({ piece: pieceName, version: pieceVersion })).check(
  z.minLength(1, 'required'),
  z.maxLength(piecesAtOnceMax, 'too_many'),
  z.refine((pieces) => new Set(pieces.map(({ piece }) => piece)).size === pieces.length, 'invalid'),
)
const toRelease = {
  pieces: given,
  newVersions: z._default(
    z.array(z.enum(legalDocuments, 'one_of')).check(z.maxLength(legalDocuments.length, 'too_many')),
    [],
  ),
}
const releaseRefusals = [
  'not_found',
  'conflict',
  'content_broken',
  'content_waits',
  'step_up_required',
] as const

export const listContentPieces = endpoint('GET', 'admin/content/pieces', {
  about:
    'Everything that visitors read and editors may change, each with its state. Not paged: there are as many as files.',
  access: staff('news', 1),
  output: z.array(contentPiece),
})

export const getContentPiece = endpoint('GET', 'admin/content/piece', {
  about: 'One piece: as the files say, as it is published, its draft, and what is wrong with it.',
  access: staff('news', 1),
  query: ofPiece,
  output: contentPieceWhole,
  errors: ['not_found'],
})

export const saveContentDraft = endpoint('POST', 'admin/content/draft', {
  about:
    'Keep changes of one piece without publishing them. `changes` maps places to values, null for “as published”. A place that somebody changed since `version`: conflict, and `theirs` of the problem says what they wrote; nothing is kept.',
  access: staff('news', 2),
  body: z.strictObject({
    piece: pieceName,
    version: pieceVersion,
    changes: z
      .record(line(120), z.unknown())
      .check(z.refine((changes) => Object.keys(changes).length <= draftPlacesMax, 'too_many')),
  }),
  output: contentPieceWhole,
  errors: ['not_found', 'conflict', 'content_waits'],
})

export const discardContentDraft = endpoint('POST', 'admin/content/draft/discard', {
  about: 'Forget the draft of a piece.',
  access: staff('news', 2),
  body: z.strictObject({ piece: pieceName, version: pieceVersion }),
  output: contentPieceWhole,
  errors: ['not_found', 'conflict', 'content_waits'],
})

export const checkContentDrafts = endpoint('POST', 'admin/content/check', {
  about: 'What would be wrong if these drafts were published together, place by place.',
  access: staff('news', 1),
  body: z.strictObject({
    pieces: z.array(pieceName).check(z.minLength(1, 'required'), z.maxLength(piecesAtOnceMax, 'too_many')),
  }),
  output: z.object({
    problems: z.array(contentProblem),
    sensitive: z.array(z.enum(sensitiveKinds)),
    /** Whether a second person must confirm. */
    takesTwo: z.boolean(),
  }),
  errors: ['not_found'],
})

export const publishContent = endpoint('POST', 'admin/content/publish', {
  about:
    'Publish the drafts of these pieces now, together or not at all. Where it takes two it is proposed instead; so is what changes the official list, unless the caller has `coins` 2. Drafts that break a rule: `content_broken` with `broken`, which says where.',
  access: staff('news', 2),
  body: z.strictObject(toRelease),
  output: contentRelease,
  errors: releaseRefusals,
})

export const scheduleContent = endpoint('POST', 'admin/content/schedule', {
  about:
    'The same at a moment ahead. Until then the pieces cannot be changed; cancelling brings their drafts back.',
  access: staff('news', 2),
  body: z.strictObject({ ...toRelease, ...scheduleFields }),
  output: contentRelease,
  errors: releaseRefusals,
})

export const listContentReleases = endpoint('GET', 'admin/content/releases', {
  about: 'What waits for a second person or for its time, or what became of it: the newest first.',
  access: staff('news', 1),
  query: z.extend(page, { state: z._default(z.enum(['waiting', 'ended', 'dropped'], 'one_of'), 'waiting') }),
  output: z.array(contentRelease),
})

export const confirmContentRelease = endpoint('POST', 'admin/content/releases/:id/confirm', {
  about:
    'As the second person: publish what was proposed, or let it be published at its time. Never one’s own. What changes the official list takes `coins` 2 of one of the two.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: contentRelease,
  errors: releaseRefusals,
})

export const cancelContentRelease = endpoint('POST', 'admin/content/releases/:id/cancel', {
  about: 'End what waits: a schedule, one’s own proposal, or another’s with a reason. The drafts stay.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: z.strictObject({ reason: z._default(line(contentReasonLengthMax), '') }),
  output: contentRelease,
  errors: ['not_found', 'conflict'],
})

export const makeContentPreview = endpoint('POST', 'admin/content/preview', {
  about: `Make an address under which the pages are shown with all drafts, for ${contentPreviewMinutes} minutes and while the session lasts. Pages follow it: \`cn/help\`. They run no scripts and may stand in a frame of this site only.`,
  access: staff('news', 1),
  body: noBody,
  output: z.object({ address: z.string(), expiresAt: time }),
})
