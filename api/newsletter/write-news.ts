import { formatDay } from '../format-time.ts'
import type { Values } from '../fill.ts'
import type { MailValue } from '../mail/render-mail.ts'
import type { MailHeaders } from '../mail/sealed-mail.ts'
import { composeMail } from '../mail/send-mail.ts'
import type { Services } from '../services.ts'
import { manageNewsLink, newsLink, postLink } from '../site-links.ts'
import { textOfHtml } from '../text-of-html.ts'
import brand from '#content/brand.json' with { type: 'json' }
import type { MailedPost, Reader } from './issue.queries.ts'
import { oneClickLink, verifyGuideLink } from './news-links.ts'
import { tokenOf } from './news-token.ts'

type Needs = Pick<Services, 'keys' | 'config'>

const excerptMax = 600

/** The beginning of the text, up to the end of a word. */
function excerptOf(html: string): string {
  const text = textOfHtml(html)
  if (text.length <= excerptMax) return text
  const cut = text.slice(0, excerptMax).toWellFormed()
  return `${cut.replace(/\s+\S*$/, '') || cut} …`
}

/** `manageLink`: of its reader, or a page that everybody may see in a preview. */
export const valuesOfPost = (
  { config }: Pick<Needs, 'config'>,
  post: MailedPost,
  manageLink: string,
): Values<MailValue<'news-post'>> => ({
  postTitle: post.title,
  date: formatDay(post.posted_at, post.language),
  excerpt: excerptOf(post.content_summary),
  link: postLink(config, post.language, post.slug),
  // An unsigned one has no such line.
  keyId: post.key_id ?? '',
  guide: verifyGuideLink(config, post.language),
  manageLink,
})

/** RFC 8058, 2919, 3834. What signs mails for the domain (DKIM) has to cover the first two. */
export const headersOfNews = ({ config }: Pick<Needs, 'config'>, token: string): MailHeaders => ({
  'List-Unsubscribe': `<${oneClickLink(config, token)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'List-Id': `${brand.name.replaceAll(/[^\w -]/g, '')} <news.${config.publicUrl.hostname}>`,
  Precedence: 'bulk',
})

/** With the anti-phishing phrase of the member whose address it is. `mail_id`: of the mail that is written anew. */
export type ReaderWithPhrase = Reader & { phrase: string | undefined; mail_id?: string }

const optionsOf = (needs: Needs, { mail_id, ...reader }: ReaderWithPhrase) => ({
  headers: headersOfNews(needs, tokenOf(reader)),
  ...(mail_id !== undefined && { id: mail_id }),
})

export function writePostMail(needs: Needs, post: MailedPost, reader: ReaderWithPhrase) {
  const values = valuesOfPost(needs, post, manageNewsLink(needs.config, tokenOf(reader)))
  return composeMail(needs.keys, reader, 'news-post', values, optionsOf(needs, reader))
}

export function writeDigestMail(
  needs: Needs,
  { posts, since }: { posts: readonly MailedPost[]; since: Date },
  reader: ReaderWithPhrase,
) {
  const { config } = needs
  const { language } = reader
  const listed = posts.map(({ title, posted_at, key_id, slug }) =>
    [
      title,
      [formatDay(posted_at, language), key_id].filter(Boolean).join(' · '),
      postLink(config, language, slug),
    ].join('\n'),
  )
  const values = {
    date: formatDay(since, language),
    posts: listed.join('\n\n'),
    link: newsLink(config, language),
    guide: verifyGuideLink(config, language),
    manageLink: manageNewsLink(config, tokenOf(reader)),
  }
  return composeMail(needs.keys, reader, 'news-digest', values, optionsOf(needs, reader))
}
