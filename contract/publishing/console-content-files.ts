import * as z from 'zod/mini'
import { picture } from './announcements.ts'
import { contentItemDetail, contentItemVersion } from './console-content.ts'
import { endpoint, staff } from '../platform/endpoint.ts'
import { language, MIB, requiredLine, text } from '../platform/fields.ts'

export const documentBytesMax = 20 * MIB

/** A PDF as listed in `documents.json`. */
const documentEntry = z.object({
  file: z.string(),
  base: z.string(),
  language,
  title: z.string(),
  version: z.string(),
  date: z.string(),
  pages: z.number(),
  bytes: z.number(),
  sha256: z.string(),
})
export type DocumentEntry = z.infer<typeof documentEntry>

/** For example `white-paper`. A new base name creates a new document. */
const base = z.string().check(z.maxLength(60, 'too_long'), z.regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'invalid'))

export const uploadContentDocument = endpoint('POST', 'admin/content/documents', {
  about:
    'Add a PDF to the draft of a document, as a data URL. The server determines its number of pages, size, and SHA-256 hash.',
  access: staff('news', 2),
  status: 201,
  bodyBytesMax: 28 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: documentBytesMax },
  body: z.strictObject({
    base,
    language,
    title: requiredLine(120),
    version: z.string().check(z.regex(/^\d{1,4}(\.\d{1,4}){0,3}$/, 'invalid')),
    /** The version that this change is based on. */
    basedOn: contentItemVersion,
    pdf: text(28 * MIB).check(
      z.minLength(1, 'required'),
      z.regex(/^data:application\/pdf;base64,/, 'document'),
    ),
  }),
  output: contentItemDetail,
  errors: ['conflict', 'content_waits'],
})

export const withdrawContentDocument = endpoint('POST', 'admin/content/documents/withdraw', {
  about:
    'Withdraw a document in one language, as part of its draft. Once this is published, the document is no longer offered and its address returns 404.',
  access: staff('news', 2),
  body: z.strictObject({
    base,
    language,
    /** The version that this change is based on. */
    basedOn: contentItemVersion,
  }),
  output: contentItemDetail,
  errors: ['not_found', 'conflict', 'content_waits'],
})

export const uploadContentPicture = endpoint('POST', 'admin/content/pictures', {
  about:
    'Upload a picture of a person or partner as a data URL of a JPEG, PNG, WebP, or GIF picture. It is scaled and re-encoded. Use the returned `photo` in the entry.',
  access: staff('news', 2),
  status: 201,
  bodyBytesMax: 14 * MIB,
  acceptsFiles: { countMax: 1, bytesMax: 10 * MIB },
  body: z.strictObject({
    picture: text(14 * MIB).check(
      z.minLength(1, 'required'),
      z.regex(/^data:image\/[a-z+.-]+;base64,/, 'picture'),
    ),
  }),
  output: z.object({
    photo: z.string(),
    address: z.string(),
    ...z.pick(picture, { width: true, height: true }).shape,
  }),
})

export const openContentDocument = endpoint('GET', 'admin/content/documents/:sha256', {
  about: 'Get the PDF of a draft or an earlier version by its SHA-256 hash.',
  access: staff('news', 1),
  params: z.strictObject({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'invalid')) }),
  output: z.unknown(),
  returnsBytes: true,
  alternateType: 'application/pdf',
  errors: ['not_found'],
})
