import { isEmailItem } from '#contract/content-emails.ts'
import type { Language } from '#contract/fields.ts'
import { languageName } from '../../../i18n/language.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'
import type { UsedMessages } from '../../../i18n/messages.tsx'

/** Labels for the steps of a path. Names of services, and parts that a newer release added, are shown as they are. */
const names: Readonly<Record<string, PlainKey>> = {
  id: 'consoleContent.field.id',
  date: 'consoleContent.field.date',
  state: 'consoleContent.field.state',
  title: 'consoleContent.field.title',
  text: 'consoleContent.field.text',
  note: 'consoleContent.field.note',
  photo: 'consoleContent.field.photo',
  special: 'consoleContent.field.special',
  linkedin: 'consoleContent.field.linkedin',
  profile: 'consoleContent.field.profile',
  since: 'consoleContent.field.since',
  until: 'consoleContent.field.until',
  name: 'consoleContent.field.name',
  location: 'consoleContent.field.location',
  skills: 'consoleContent.field.skills',
  members: 'consoleContent.field.members',
  seed: 'consoleContent.field.seed',
  line: 'consoleContent.field.line',
  columns: 'consoleContent.field.columns',
  rows: 'consoleContent.field.rows',
  label: 'consoleContent.field.label',
  values: 'consoleContent.field.values',
  value: 'consoleContent.field.value',
  unit: 'consoleContent.field.unit',
  question: 'consoleContent.field.question',
  answer: 'consoleContent.field.answer',
  main: 'consoleContent.field.main',
  intro: 'consoleContent.field.intro',
  items: 'consoleContent.field.items',
  brochureLabel: 'consoleContent.field.brochureLabel',
  questions: 'consoleContent.field.questions',
  fileTitle: 'consoleContent.field.fileTitle',
  hasChinese: 'consoleContent.field.hasChinese',
  description: 'consoleContent.field.description',
  nodes: 'consoleContent.field.nodes',
  edges: 'consoleContent.field.edges',
  from: 'consoleContent.field.from',
  to: 'consoleContent.field.to',
  tagline: 'consoleContent.field.tagline',
  legalLine: 'consoleContent.field.legalLine',
  email: 'consoleContent.field.email',
  phone: 'consoleContent.field.phone',
  address: 'consoleContent.field.address',
  links: 'consoleContent.field.links',
  newsletter: 'consoleContent.field.newsletter',
  blog: 'consoleContent.field.blog',
  mining: 'consoleContent.field.mining',
  exchange: 'consoleContent.field.exchange',
  explorer: 'consoleContent.field.explorer',
  testExplorer: 'consoleContent.field.testExplorer',
  downloads: 'consoleContent.field.downloads',
  wallet: 'consoleContent.field.wallet',
  androidCn: 'consoleContent.field.androidCn',
  social: 'consoleContent.field.social',
  x: 'consoleContent.field.x',
  ios: 'consoleContent.field.ios',
  github: 'consoleContent.field.github',
  youtube: 'consoleContent.field.youtube',
  wechat: 'consoleContent.field.wechat',
  weibo: 'consoleContent.field.weibo',
  documents: 'consoleContent.field.documents',
  brochure: 'consoleContent.field.brochure',
  whitePaper: 'consoleContent.field.whitePaper',
  ambassadorEbook: 'consoleContent.field.ambassadorEbook',
  others: 'consoleContent.field.others',
  file: 'consoleContent.field.file',
  version: 'consoleContent.field.version',
  pages: 'consoleContent.field.pages',
  bytes: 'consoleContent.field.bytes',
  sha256: 'consoleContent.field.sha256',
  en: 'consoleContent.english',
  cn: 'consoleContent.chinese',
  '(order)': 'consoleContent.field.order',
}

/** A note is either a text or the mark of a sample. */
const marks: Readonly<Record<string, PlainKey>> = { note: 'consoleContent.field.sample' }

const choices: Readonly<Record<string, PlainKey>> = {
  done: 'consoleContent.choice.done',
  current: 'consoleContent.choice.current',
  next: 'consoleContent.choice.next',
}

const wordOf = (t: UsedMessages['t'], words: Readonly<Record<string, PlainKey>>, name: string): string =>
  Object.hasOwn(words, name) ? t(words[name]!) : name

export const fieldWord = (t: UsedMessages['t'], name: string): string => {
  const word = wordOf(t, names, name)
  // Name of a service, such as `github`.
  return word === name ? name.charAt(0).toUpperCase() + name.slice(1) : word
}
export const markWord = (t: UsedMessages['t'], name: string): string =>
  Object.hasOwn(marks, name) ? t(marks[name]!) : fieldWord(t, name)
export const choiceWord = (t: UsedMessages['t'], name: string): string => wordOf(t, choices, name)
export const languageWord = (t: UsedMessages['t'], language: Language): string =>
  language === 'en'
    ? t('consoleContent.english')
    : language === 'cn'
      ? t('consoleContent.chinese')
      : languageName[language]

/** Describes a place with the labels of the form: `some-entry.en.title` is “some-entry › English › Title”. */
export function placeLabel(t: UsedMessages['t'], piece: string, place: string): string {
  if (!piece.startsWith('messages/') && !isEmailItem(piece))
    return place
      .split('.')
      .map((step) => (Object.hasOwn(names, step) ? t(names[step]!) : step))
      .join(' › ')
  const at = place.indexOf('.')
  return `${place.slice(at + 1)} · ${fieldWord(t, place.slice(0, at))}`
}
