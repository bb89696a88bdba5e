import brand from '#content/brand.json' with { type: 'json' }
import { formatDay } from '../../platform/text/format-time.ts'
import type { Values } from '../../platform/text/fill.ts'
import type { MailValue } from '../../platform/mail/mail-kinds.ts'
import type { RichValues } from '../../platform/mail/render-mail.ts'
import { beginningOf, listText, type RichText, richTextOf } from '../../platform/mail/rich-text.ts'
import type { MailHeaders } from '../../platform/mail/encrypted-email.ts'
import { composeMail } from '../../platform/mail/send-mail.ts'
import type { Services } from '../../platform/services.ts'
import { manageNewsLink, newsLink, postLink } from '../../platform/site-links.ts'
import type { MailedPost, Reader } from './issue.queries.ts'
import { tokenOf } from './news-token.ts'
import { siteLanguages, type Language } from '#contract/platform/languages.ts'
import type { Config } from '../../platform/config/config.ts'

/** The text guide to verifying a post with one’s own tools. */
const verifyGuideLink = ({ publicUrl }: Config, language: Language): string =>
  new URL(`${siteLanguages[language].prefix}/verify-a-post.txt`, publicUrl).href

/** RFC 8058: email clients post a form there. */
const oneClickLink = ({ publicUrl }: Config, token: string): string =>
  new URL(`/newsletter/one-click/${encodeURIComponent(token)}`, publicUrl).href

type Needs = Pick<Services, 'keys' | 'config'>

/** The beginning of the text with its headings, lists, links, and pictures. */
export function richOfPost({ config }: Pick<Needs, 'config'>, post: MailedPost): RichValues<'news-post'> {
  const cut = post.is_cut ? '<p>…</p>' : ''
  return {
    excerpt: richTextOf(post.content_summary + cut, postLink(config, post.language, post.slug)),
  }
}

/** `manageLink`: the reader's own, or a public page in a preview. */
export const valuesOfPost = (
  { config }: Pick<Needs, 'config'>,
  post: MailedPost,
  manageLink: string,
): Values<MailValue<'news-post'>> => ({
  postTitle: post.title,
  date: formatDay(post.posted_at, post.language),
  excerpt: richOfPost({ config }, post).excerpt?.text ?? '',
  link: postLink(config, post.language, post.slug),
  // An unsigned post has no such line.
  keyId: post.key_id ?? '',
  guide: verifyGuideLink(config, post.language),
  manageLink,
})

/** RFC 8058, 2919, 3834. The domain's DKIM signature must cover the first two. */
const headersOfNews = ({ config }: Pick<Needs, 'config'>, token: string): MailHeaders => ({
  'List-Unsubscribe': `<${oneClickLink(config, token)}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  'List-Id': `${brand.name.replaceAll(/[^\w -]/g, '')} <news.${config.publicUrl.hostname}>`,
  Precedence: 'bulk',
})

/** With the anti-phishing phrase of the member with that address. `mail_id`: the email that is rewritten. */
export type ReaderWithPhrase = Reader & { phrase: string | undefined; mail_id?: string }

const optionsOf = (needs: Needs, { mail_id, ...reader }: ReaderWithPhrase) => ({
  headers: headersOfNews(needs, tokenOf(reader)),
  ...(mail_id !== undefined && { id: mail_id }),
})

export function writePostMail(needs: Needs, post: MailedPost, reader: ReaderWithPhrase) {
  const values = valuesOfPost(needs, post, manageNewsLink(needs.config, tokenOf(reader)))
  const rich = richOfPost(needs, post)
  return composeMail(needs.keys, reader, { kind: 'news-post', values, rich, ...optionsOf(needs, reader) })
}

/** The pictures of posts in a digest, by the posts' IDs. */
export type PicturesOfPosts = ReadonlyMap<string, { path: string; alt: string }>

/**
 * Number of posts that a digest shows with their picture and beginning. Any others have only their title, because Gmail
 * cuts off emails of more than 102 kB.
 */
export const introducedPosts = 12

type Digest = { posts: readonly MailedPost[]; pictures: PicturesOfPosts }

export const richOfDigest = (
  { config }: Pick<Needs, 'config'>,
  { posts, pictures }: Digest,
  language: Language,
): RichText =>
  listText(
    posts.map(({ id, title, posted_at, key_id, slug, content_summary }, at) => {
      const picture = pictures.get(id)
      return {
        title,
        about: [formatDay(posted_at, language), key_id].filter(Boolean).join(' · '),
        link: postLink(config, language, slug),
        ...(at < introducedPosts && {
          summary: beginningOf(content_summary),
          picture: picture && { address: new URL(picture.path, config.publicUrl).href, alt: picture.alt },
        }),
      }
    }),
  )

export function writeDigestMail(
  needs: Needs,
  { since, ...digest }: Digest & { since: Date },
  reader: ReaderWithPhrase,
) {
  const { config } = needs
  const { language } = reader
  const posts = richOfDigest(needs, digest, language)
  const values = {
    date: formatDay(since, language),
    posts: posts.text,
    link: newsLink(config, language),
    guide: verifyGuideLink(config, language),
    manageLink: manageNewsLink(config, tokenOf(reader)),
  }
  const rich = { posts }
  return composeMail(needs.keys, reader, { kind: 'news-digest', values, rich, ...optionsOf(needs, reader) })
}
