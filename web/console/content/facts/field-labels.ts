import { isEmailItem } from '#contract/publishing/content-emails.ts'
import type { Language } from '#contract/platform/fields.ts'
import { languageName } from '../../../kernel/i18n/language.ts'
import { labelIn } from '../../../kernel/i18n/label-in.ts'
import type { UsedMessages } from '../../../kernel/i18n/messages.tsx'

/** Label of a step of a path. Names of services, and parts that a newer release added, have none. */
function labelOf(t: UsedMessages['t'], name: string): string | undefined {
  if (name === 'en') return t('consoleContent.english')
  if (name === 'cn') return t('consoleContent.chinese')
  return name === '(order)' ? t('consoleContent.entryOrder') : labelIn(t, 'consoleContent.field', name)
}

/** Without a label, it is the name of a service, such as `github`. */
export const fieldWord = (t: UsedMessages['t'], name: string): string =>
  labelOf(t, name) ?? name.charAt(0).toUpperCase() + name.slice(1)

/** A note is either a text or the mark of a sample. */
export const markWord = (t: UsedMessages['t'], name: string): string =>
  name === 'note' ? t('consoleContent.sampleMark') : fieldWord(t, name)
export const choiceWord = (t: UsedMessages['t'], name: string): string =>
  labelIn(t, 'consoleContent.choice', name) ?? name
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
      .map((step) => labelOf(t, step) ?? step)
      .join(' › ')
  const at = place.indexOf('.')
  return `${place.slice(at + 1)} · ${fieldWord(t, place.slice(0, at))}`
}
