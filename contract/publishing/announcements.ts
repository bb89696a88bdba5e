import * as z from 'zod/mini'
import { anyone, endpoint, staff } from '../platform/endpoint.ts'
import { done, id, language, line, MIB, noBody, page, requiredLine, time } from '../platform/fields.ts'
import { languages } from '../platform/languages.ts'
import { searchLengthMax } from '../platform/patterns.ts'

export const titleLengthMax = 200
export const contentLengthMax = 1_500_000
/**
 * The maximum number of tags and character references, because parsing time grows with the square of the nesting depth.
 */
export const contentMarksMax = 20_000
/** Longer content is cut to `summaryLength` characters for its summary, without splitting an image tag. */
export const summarizedFromLength = 1499
export const summaryLength = 1500
export const summaryImagesMax = 3
export const trashDays = 30

export const categories = [
  { name: 'Technical Updates', colour: 'red' },
  { name: 'News', colour: 'green' },
  { name: 'Events', colour: 'yellow' },
  { name: 'Partnerships', colour: 'red' },
] as const
export const categoryNames = categories.map((category) => category.name)
export const category = z.enum(categoryNames as [string, ...string[]], 'one_of')

/** Posts on one page of the news. */
export const newsPageSize = 20
export const newsPageMax = 1000

export const pictureBytesMax = 10 * MIB
/**
 * A picture is stored in each of these widths (pixels) up to its own, and in its own width up to the largest of
 * them.
 */
export const pictureWidths = [480, 960, 1600]
/** The maximum length of a picture's alternative text and of a film's title. */
export const altText = line(300)

export const announcementStates = ['draft', 'scheduled', 'published', 'deleted'] as const
export type AnnouncementState = (typeof announcementStates)[number]

/** A stored picture, as the attributes of an `img`. */
export const picture = z.object({
  src: z.string(),
  srcset: z.string(),
  width: z.number(),
  height: z.number(),
})
export type Picture = z.infer<typeof picture>

/** Where the picture on a card comes from: the editor's choice, the text, or a drawing made from the post's address. */
export const cardPictureOrigins = ['chosen', 'text', 'drawn'] as const

/** The picture on a post's card. A drawing is decorative and has no alternative text. */
export const cardPicture = z.extend(picture, { alt: z.string(), origin: z.enum(cardPictureOrigins) })
export type CardPicture = z.infer<typeof cardPicture>

/** The author whom a post names. `name` is the display name of their account, and `slug` is part of their page's address. */
export const byline = z.object({ slug: z.string(), name: z.string() })
export type Byline = z.infer<typeof byline>

/** A post as other pages list it. */
const announcementCard = z.object({
  slug: z.string(),
  title: z.string(),
  category: z.string(),
  language,
  postedDate: time,
  readingMinutes: z.number(),
  picture: cardPicture,
})
export type AnnouncementCard = z.infer<typeof announcementCard>

export const announcement = z.object({
  _id: id,
  /** The last part of the address `/news/{slug}`. A translation has the same slug in its language. */
  slug: z.string(),
  title: z.string(),
  category: z.string(),
  language,
  /** Sanitized HTML. */
  content: z.string(),
  contentSummary: z.string(),
  postedDate: time,
  lastEdited: z.nullable(time),
  createdBy: z.object({ _id: z.string(), displayName: z.string() }),
  readingMinutes: z.number(),
  picture: cardPicture,
  /** Null if the post names no author. */
  byline: z.nullable(byline),
})
export type Announcement = z.infer<typeof announcement>

export const announcementFields = {
  title: requiredLine(titleLengthMax),
  category,
  language: z.enum(languages, 'one_of'),
  content: z.string().check(
    z.minLength(1, 'required'),
    z.maxLength(contentLengthMax, 'too_long'),
    // oxlint-disable-next-line no-control-regex -- NUL cannot be stored
    z.regex(/^[^\0]*$/, 'invalid'),
    z.refine((html) => (html.match(/[<&]/g)?.length ?? 0) <= contentMarksMax, 'too_much_markup'),
  ),
}

/**
 * When a scheduled post is published: a time (ISO 8601 with offset), and the time zone it was chosen in (IANA).
 */
export const scheduleFields = {
  publishAt: z
    .string()
    .check(
      z.maxLength(40, 'too_long'),
      z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/, 'invalid'),
    ),
  zone: line(64),
}

/** `keep` keeps the stored author, and `self` names the caller. No one can name someone else. */
export const bylineChoices = ['keep', 'none', 'self'] as const
export type BylineChoice = (typeof bylineChoices)[number]

export const cardAddress = line(100)

/** How a post is presented. Omitted fields leave it as stored. */
export const presentationFields = {
  /**
   * The picture on the post's card: an address from `announcements/pictures`. If null, it is the first picture in the
   * text, or else a drawing.
   */
  card: z.optional(
    z.nullable(
      z.strictObject({ src: cardAddress, alt: altText.check(z.trim(), z.minLength(1, 'required')) }),
    ),
  ),
  byline: z.optional(z.enum(bylineChoices, 'one_of')),
}

/** Accepted from old clients and ignored: the server sets these values. */
const ignored = {
  contentSummary: z.optional(z.unknown()),
  createdBy: z.optional(z.unknown()),
  postedDate: z.optional(z.unknown()),
}

const pageNumber = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(newsPageMax)), 1)

export const listAnnouncements = endpoint('GET', 'announcements/:lang', {
  about: 'List the published announcements in one language, newest first.',
  access: anyone,
  changesWith: ['announcements'],
  params: z.strictObject({ lang: z.string() }),
  query: page,
  output: z.array(announcement),
  errors: ['not_found'],
})

export const browseAnnouncements = endpoint('GET', 'announcements/:lang/browse', {
  about:
    'Get one numbered page of the published announcements in one language, optionally filtered by category and search words.',
  access: anyone,
  changesWith: ['announcements'],
  params: z.strictObject({ lang: z.string() }),
  query: z.strictObject({
    category: z.optional(category),
    q: z.optional(line(searchLengthMax)),
    page: pageNumber,
  }),
  output: z.object({ posts: z.array(announcement), hasMore: z.boolean() }),
  errors: ['not_found'],
})

export const getPost = endpoint('GET', 'announcements/:lang/posts/:slug', {
  about:
    'Get the published announcement at an address, in the requested language if it exists, otherwise in the other one. `languages` lists the available languages.',
  access: anyone,
  changesWith: ['announcements'],
  params: z.strictObject({ lang: z.string(), slug: requiredLine(100) }),
  output: z.object({
    post: announcement,
    languages: z.array(language),
    /** Up to three posts in the same language, the most closely related first. */
    related: z.array(announcementCard),
    /** The picture in link previews. */
    sharePicture: z.object({ src: z.string(), width: z.number(), height: z.number() }),
  }),
  errors: ['not_found'],
})

export const listPostAuthors = endpoint('GET', 'announcements/authors', {
  about: 'List the authors whom published announcements name, with the languages of their announcements.',
  access: anyone,
  changesWith: ['announcements'],
  output: z.array(z.extend(byline, { languages: z.array(language) })),
})

export const browsePostsByAuthor = endpoint('GET', 'announcements/:lang/authors/:slug', {
  about: 'Get one numbered page of the published announcements by one author in one language.',
  access: anyone,
  changesWith: ['announcements'],
  params: z.strictObject({ lang: z.string(), slug: requiredLine(100) }),
  query: z.strictObject({ page: pageNumber }),
  output: z.object({
    author: byline,
    /** The languages of the author's posts. */
    languages: z.array(language),
    posts: z.array(announcement),
    hasMore: z.boolean(),
  }),
  errors: ['not_found'],
})

export const listPostAddresses = endpoint('GET', 'announcements/addresses', {
  about: 'List the address and last change of every published announcement, newest first.',
  access: anyone,
  changesWith: ['announcements'],
  output: z.array(z.object({ slug: z.string(), language, changedAt: time })),
})

export const listCategories = endpoint('GET', 'announcements/getCategories', {
  about: 'List the categories and their colors.',
  access: anyone,
  changesWith: ['announcements'],
  output: z.array(z.object({ name: z.string(), colour: z.enum(['red', 'green', 'yellow']) })),
})

export const createAnnouncement = endpoint('POST', 'announcements/create', {
  about: 'Publish an announcement. The HTML is sanitized with an allowlist.',
  access: staff('news', 2),
  status: 201,
  acceptsIdempotencyKey: true,
  bodyBytesMax: 2 * MIB,
  body: z.strictObject({
    ...announcementFields,
    ...presentationFields,
    ...ignored,
    lastEdited: z.optional(z.unknown()),
    /** Without a status the post is published at once. `scheduled` requires `publishAt` and `zone`. */
    status: z.optional(z.enum(['draft', 'scheduled', 'published'], 'one_of')),
    publishAt: z.optional(scheduleFields.publishAt),
    zone: z.optional(scheduleFields.zone),
    /** The post in the other language that this one translates. */
    translationOf: z.optional(id),
    /** The autosave of this text. Saving the post deletes it. */
    workingCopyId: z.optional(id),
  }),
  output: announcement,
  errors: ['not_found', 'idempotency_conflict'],
})

export const updateAnnouncement = endpoint('POST', 'announcements/updatePostById', {
  about:
    'Update an announcement. If `lastEdited` is not the stored value, nothing changes and the response is `conflict`.',
  access: staff('news', 2),
  bodyBytesMax: 2 * MIB,
  body: z.strictObject({
    _id: id,
    ...announcementFields,
    ...presentationFields,
    ...ignored,
    lastEdited: z.optional(z.nullable(time)),
    workingCopyId: z.optional(id),
  }),
  output: announcement,
  errors: ['not_found', 'conflict'],
})

export const deleteAnnouncement = endpoint('POST', 'announcements/delete/:id', {
  about: 'Move an announcement to the trash, where it is kept for 30 days.',
  access: staff('news', 2),
  params: z.strictObject({ id }),
  body: noBody,
  output: done('deleted'),
  errors: ['not_found'],
})

export const uploadPicture = endpoint('POST', 'announcements/pictures', {
  about:
    'Upload a picture for announcements as a data URL of a JPEG, PNG, WebP, or GIF picture. It is re-encoded in several widths.',
  access: staff('news', 2),
  status: 201,
  bodyBytesMax: 14 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: pictureBytesMax },
  body: z.strictObject({
    picture: z
      .string()
      .check(
        z.minLength(1, 'required'),
        z.maxLength(Math.ceil((pictureBytesMax * 4) / 3) + 100, 'too_long'),
        z.regex(/^data:image\/[a-z+.-]+;base64,/, 'picture'),
      ),
  }),
  output: picture,
})
