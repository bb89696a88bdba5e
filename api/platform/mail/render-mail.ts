import { completeLanguages, siteLanguages, type Language } from '#contract/platform/languages.ts'
import { emailChoicesPath } from '#contract/platform/notifications.ts'
import brand from '#content/brand.json' with { type: 'json' }
import en from '#content/emails/en.json' with { type: 'json' }
import { readTranslations } from '../site-content/read-translations.ts'
import { fill, type Values } from '../text/fill.ts'
import { bodyOfMail, htmlOfMail, type Line, type MailParts } from './mail-html.ts'
import type { Look } from './mail-look.ts'
import type { RichText } from './rich-text.ts'
import {
  isMailKind,
  mailRuleOf,
  newsKinds,
  optionalAreaOf,
  type MailKind,
  type MailValue,
} from './mail-kinds.ts'
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

/** Says why the recipient got the email, who sent it, and where to turn off such emails. */
function footerOf(kind: MailKind, language: Language): string {
  const { footer = 'footer' } = mailRuleOf(kind)!
  const link = officialPage(language)
  const lines = [
    words(language)[footer],
    link && fill(words(language).official, { official: link }),
    footer === 'footerNews' && postalAddress(language),
    optionalAreaOf(kind) && words(language).footerChoices,
  ]
  return lines.filter(Boolean).join('\n')
}

/** Links to the site of the email's button. Staff see both links masked. */
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

/** A line that consists of one value, and a line with a label and a value. */
const alone = /^\{(\w+)\}$/
const labeled = /^([^{}.?!。？！:：]+)[:：]\s*\{(\w+)\}$/
/** Lines with links are sentences, not facts. */
const isLink = (name: string) => /link$|guide/i.test(name)
/** Values that must be compared character by character. */
const exactValues = new Set(['address', 'transaction'])

function lineOf(
  line: string,
  filled: (text: string) => string,
  rich: Readonly<Partial<Record<string, RichText>>>,
): Line {
  const text = filled(line)
  const [, only] = alone.exec(line) ?? []
  if (only) {
    const structured = rich[only]
    if (structured) return { is: 'rich', text: structured.text, rich: structured }
    return { is: only === 'code' ? 'code' : only === 'date' ? 'quiet' : 'panel', text }
  }
  const [, label, name] = labeled.exec(line) ?? []
  if (!label || !name || isLink(name)) return { is: 'paragraph', text }
  return { is: 'fact', text, label, value: filled(`{${name}}`), isExact: exactValues.has(name) }
}

/** `link` is the target of the button. Values are text and are escaped in the HTML part. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  values: Values<MailValue<Kind>>,
  { phrase, look = 'mail', rich = {} }: Rendering<Kind> = {},
): RenderedMail {
  const { greeting, signature } = words(language)
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
  // A post has its own title, and news has no greeting.
  const isPost = mail.before[0] === '{postTitle}'
  const greeted: Line[] = newsKinds.includes(kind) ? [] : [{ is: 'greeting', text: filled(greeting) }]
  const linesIn = (lines: readonly string[]) => lines.map((line) => lineOf(line, filled, rich))
  const subject = oneLine(filled(mail.subject))
  const parts: MailParts = {
    language,
    proof: phrase ? fill(words(language).phrase, { phrase }) : '',
    title: isPost ? filled('{postTitle}') : subject,
    before: [...greeted, ...linesIn(mail.before.slice(isPost ? 1 : 0).filter(isWhole))],
    button: link && { link, label: filled(mail.button) },
    after: linesIn([...mail.after.filter(isWhole), signature]),
    footer: filled(footerOf(kind, language)),
  }
  return {
    subject,
    text: textOfMail(parts, isPost),
    html: look === 'mail' ? htmlOfMail(parts) : bodyOfMail(parts, look),
  }
}

/** The plain-text part. It leaves out a title that repeats the subject. */
function textOfMail(
  { language, proof, title, before, button, after, footer }: MailParts,
  isPost: boolean,
): string {
  const colon = siteLanguages[language].tag.startsWith('zh') ? '：' : ':'
  return [
    ...(proof ? [proof] : []),
    ...(isPost ? [title] : []),
    ...before.map(({ text }) => text),
    ...(button ? [`${button.label}${colon}\n${button.link}`] : []),
    ...after.map(({ text }) => text),
    '-- \n' + footer,
  ].join('\n\n')
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

/** The address of the channel verification page. Empty if no site is running. */
let officialPage: (language: Language) => string = () => ''

/** Set at startup, because the code that writes emails has no access to the site's address. */
export function setOfficialPage(linkIn: (language: Language) => string): void {
  officialPage = linkIn
}

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
