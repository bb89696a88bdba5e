import { completeLanguages, siteLanguages, type Language } from '#contract/platform/languages.ts'
import { emailChoicesPath } from '#contract/platform/notifications.ts'
import brand from '#content/brand.json' with { type: 'json' }
import colours from '#content/colours.json' with { type: 'json' }
import en from '#content/emails/en.json' with { type: 'json' }
import { escapeHtml } from '../text/escape-html.ts'
import { readTranslations } from '../site-content/read-translations.ts'
import { fill, type Values } from '../text/fill.ts'
import type { RichText } from './rich-text.ts'
import { isMailKind, mailRuleOf, optionalAreaOf, type MailKind, type MailValue } from './mail-kinds.ts'
import { withMailTexts } from './mail-texts.ts'

/** Structured values in addition to their plain texts. */
export type RichValues<Kind extends MailKind> = { readonly [Name in MailValue<Kind>]?: RichText }
export type RenderedMail = { subject: string; text: string; html: string }

const ofFiles = readTranslations('emails', en)
let changed: ReadonlyMap<Language, typeof en> = new Map()
const words = (language: Language): typeof en => changed.get(language) ?? ofFiles(language)

/**
 * Texts published by the team in place of those in the files, by key. Emails are written in code without access
 * to them.
 */
export function setMailTexts(textsIn: (language: Language) => Readonly<Record<string, string>>): void {
  changed = new Map(
    completeLanguages.map((language) => {
      const texts = textsIn(language)
      return [language, withMailTexts(ofFiles(language), (key, text) => texts[key] ?? text)] as const
    }),
  )
}

/** In the order of the texts. */
export const allMailKinds: readonly MailKind[] = Object.keys(en).filter(isMailKind)

/** Why the recipient got the email, from whom, and where to turn off such emails. */
function footerOf(kind: MailKind, language: Language): string {
  const { footer = 'footer' } = mailRuleOf(kind)!
  const lines = [
    words(language)[footer],
    footer === 'footerNews' && postalAddress(language),
    optionalAreaOf(kind) && words(language).footerChoices,
  ]
  return lines.filter(Boolean).join('\n')
}

/** On the site to which the email's button leads. In the view of staff, both links are masked. */
const choicesLinkOf = (link: string): string =>
  URL.canParse(link) ? new URL(emailChoicesPath, link).href : link

/** The subject before interpolation. */
export const subjectOf = (kind: MailKind, language: Language): string => words(language)[kind].subject

type Rendering<Kind extends MailKind> = {
  /** The member's anti-phishing phrase, shown first. */
  phrase?: string | undefined
  /** With `frame`, the HTML is only the body. */
  look?: Look
  /** A line that consists of one of these values gets the structure of that value. */
  rich?: RichValues<Kind> | undefined
}

/** `link` is the target of the button. Values are text and are escaped in the HTML part. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  values: Values<MailValue<Kind>>,
  { phrase, look = 'mail', rich = {} }: Rendering<Kind> = {},
): RenderedMail {
  const { greeting, signature } = words(language)
  const footer = footerOf(kind, language)
  const mail = words(language)[kind]
  const plainValues: Values<string> = withoutLures(values)
  const given = optionalAreaOf(kind)
    ? { ...plainValues, choicesLink: choicesLinkOf(`${plainValues['link']}`) }
    : plainValues
  const filled = (text: string) => fill(language === 'cn' ? withoutSpaces(text, given) : text, given)
  // The types require a link for every kind of email with a button.
  const link = mail.button && filled('{link}')

  // A line that quotes a missing value is left out.
  const isWhole = (line: string) =>
    ![...line.matchAll(/\{(\w+)\}/g)].some(([, name]) => given[name as MailValue<Kind>] === '')
  const richIn = (line: string) => rich[/^\{(\w+)\}$/.exec(line)?.[1] as MailValue<Kind>]
  const lineOf = (line: string): Line => richIn(line) ?? filled(line)
  const before = [greeting, ...mail.before.filter(isWhole)].map(lineOf)
  const after = [...mail.after.filter(isWhole), signature].map(lineOf)
  const plain = (line: Line) => (typeof line === 'string' ? line : line.text)
  const proof = phrase ? fill(words(language).phrase, { phrase }) : ''
  const text = [
    ...(proof ? [proof] : []),
    ...before.map(plain),
    ...(link
      ? [`${filled(mail.button)}${siteLanguages[language].tag.startsWith('zh') ? '：' : ':'}\n${link}`]
      : []),
    ...after.map(plain),
    '-- \n' + filled(footer),
  ].join('\n\n')
  const button: Button = link && { link, label: filled(mail.button) }
  const parts = { proof, before, button, after, footer: filled(footer) }
  return {
    subject: oneLine(filled(mail.subject)),
    text,
    html: look === 'mail' ? htmlOf(language, parts) : bodyOf(look, parts),
  }
}

/** The space beside a placeholder in a Chinese text is for Latin letters and digits. A Chinese value needs none. */
const withoutSpaces = (text: string, values: Values<string>): string =>
  text
    .replaceAll(/(?<=[\u3000-\uFFEF]) (?=\{(\w+)\})/g, (space, name: string) =>
      /^[\u3000-\uFFEF]/.test(`${values[name]}`) ? '' : space,
    )
    .replaceAll(/(?<=\{(\w+)\}) (?=[\u3000-\uFFEF])/g, (space, name: string) =>
      /[\u3000-\uFFEF]$/.test(`${values[name]}`) ? '' : space,
    )

/** Values written by the program. All others may have been typed by anyone, for example a name or a device. */
const ownValues = new Set([
  'link',
  'resetLink',
  'stopLink',
  'code',
  'kept',
  'email',
  'reference',
  'transaction',
  // Published by the project itself.
  'postTitle',
  'excerpt',
  'posts',
  'guide',
  'manageLink',
])

const withoutLures = (values: Values<string>): Values<string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && !ownValues.has(name) ? asPlainWords(value) : value,
    ]),
  )

/** Adds a space in text that looks like an address, so that no email client turns it into a link. */
const asPlainWords = (text: string): string =>
  text
    .replaceAll(/:(?=\/\/)/g, ': ')
    .replaceAll(/[.\u3002\uFF0E\uFF61](?=[\p{L}\p{N}-]*\p{L})/gu, '$& ')
    .replaceAll('@', ' @ ')

/** No typed text may start a new header. */
const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')

/** Inline styles, because email clients ignore style sheets. */
const styles = {
  page: 'max-width:560px;margin:0 auto;padding:32px 24px',
  brand: `margin:0 0 24px;font:600 20px Georgia,'Songti SC',serif;color:${colours.copper.light}`,
  proof: `margin:0 0 24px;padding:10px 14px;border-left:3px solid ${colours.verdigris.light};background:${colours.groundRaised.light}`,
  paragraph: 'margin:0 0 16px',
  action: 'margin:24px 0',
  button: `background:${colours.copper.light};color:${colours.onCopper.light};padding:12px 20px;text-decoration:none;display:inline-block`,
  line: `border:0;border-top:1px solid ${colours.line.light};margin:32px 0 16px`,
  footer: `margin:0;font-size:13px;color:${colours.textQuiet.light}`,
}

/** `frame`: for a frame of the console, whose policy forbids inline styles, and where links are disabled. */
type Look = 'mail' | 'frame'
type Button = { link: string; label: string } | ''
type Line = string | RichText
type Parts = { proof: string; before: Line[]; button: Button; after: Line[]; footer: string }

const htmlOf = (language: Language, parts: Parts): string =>
  `<!doctype html><html lang="${siteLanguages[language]?.tag ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>` +
  `<body style="margin:0;background:${colours.ground.light};color:${colours.text.light};font:16px/1.6 system-ui,'PingFang SC','Microsoft YaHei',sans-serif;overflow-wrap:anywhere;word-break:break-word;text-wrap:pretty">` +
  bodyOf('mail', parts) +
  `</body></html>`

function bodyOf(look: Look, { proof, before, button, after, footer }: Parts): string {
  const dressed = (name: keyof typeof styles) =>
    look === 'mail' ? `style="${styles[name]}"` : `class="${name}"`
  const linked = look === 'mail' ? linkify : (escaped: string) => escaped.replace(leading, '$1<u>$2</u>')
  // A value may contain paragraphs and lines.
  const paragraph = (line: Line): string =>
    typeof line === 'string' ? paragraphsOf(line) : look === 'mail' ? line.html : line.framed
  const paragraphsOf = (text: string): string =>
    text
      .split(/\n{2,}/)
      .map((part) => `<p ${dressed('paragraph')}>${linked(escapeHtml(part)).replaceAll('\n', '<br>')}</p>`)
      .join('')
  const buttonOf = ({ link, label }: Exclude<Button, ''>) =>
    look === 'mail'
      ? `<a href="${escapeHtml(link)}" ${dressed('button')}>${escapeHtml(label)}</a>`
      : `<span ${dressed('button')}>${escapeHtml(label)}</span>`
  return (
    `<div ${dressed('page')}>` +
    `<p ${dressed('brand')}>${escapeHtml(brand.name)}</p>` +
    // Typed by a member, so never turned into a link.
    (proof ? `<p ${dressed('proof')}>${escapeHtml(proof)}</p>` : '') +
    before.map(paragraph).join('') +
    (button ? `<p ${dressed('action')}>${buttonOf(button)}</p>` : '') +
    after.map(paragraph).join('') +
    `<hr ${dressed('line')}><p ${dressed('footer')}>${linked(escapeHtml(footer)).replaceAll('\n', '<br>')}</p>` +
    `</div>`
  )
}

/** A last sentence that ends with an address: `Read more: https://…`. */
const leading = /^((?:[^]*[.?!。？！]\s*)?)([^.?!。？！]*?)\s*[:：]\s*(https?:\/\/[^\s<，。]+)$/

/**
 * Turns addresses in escaped text into links. A sentence that ends with an address becomes the link itself,
 * because nobody reads 90 characters. The plain-text part keeps the address.
 */
export const linkify = (escaped: string): string =>
  leading.test(escaped)
    ? escaped.replace(
        leading,
        (_, before: string, label: string, url: string) => linkifyAll(before) + linkTo(url, label),
      )
    : linkifyAll(escaped)

const linkTo = (url: string, label: string): string =>
  `<a href="${url}" style="color:${colours.copper.light}">${label}</a>`
const linkifyAll = (escaped: string): string =>
  escaped.replaceAll(/https?:\/\/[^\s<，。]+/g, (url) => linkTo(url, url))

type Address = Readonly<Partial<Record<Language, readonly string[]>>>
let address: Address = brand.address

/** The team can change it at runtime, and emails are written in code without access to it. */
export function setPostalAddress(given: Address): void {
  address = given
}

/** The sender's postal address in one line, or an empty text if the content has none. */
function postalAddress(language: Language): string {
  const lines = address[language] ?? address.en ?? []
  return lines.join(language === 'cn' ? '，' : ', ')
}
