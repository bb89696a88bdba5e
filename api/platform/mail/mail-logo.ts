import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentFolder } from '../site-content/content-folder.ts'

/**
 * The logo is attached to each email, so that clients that block remote pictures show it, and the project does not learn
 * who opens an email.
 */
const id = 'logo@mail'
export const logoUrl = `cid:${id}`

let content: Buffer | undefined

/** The attachments of an email. */
export const attachmentsOf = (html: string) =>
  html.includes(logoUrl)
    ? [
        {
          cid: id,
          filename: 'logo.png',
          contentType: 'image/png',
          contentDisposition: 'inline' as const,
          content: (content ??= readFileSync(join(contentFolder, 'media/icons/mail-logo.png'))),
        },
      ]
    : []
