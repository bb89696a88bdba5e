import type { ReactNode } from 'react'
import type { Path } from 'react-hook-form'
import * as z from 'zod/mini'
import { profileWords, type ProfileWords } from '#contract/people/ambassador-profiles.ts'
import { completeLanguages } from '#contract/platform/languages.ts'
import { FormInput, FormTextArea } from '../kernel/forms/form-input.tsx'
import type { ContractForm } from '../kernel/forms/use-contract-form.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import styles from './profile-text-fields.module.css'

const parts = ['name', 'place', 'sentence'] as const
type TextPart = (typeof parts)[number]
type TextLanguage = (typeof completeLanguages)[number]

const suffix = { en: 'En', cn: 'Cn' } as const
export type TextField = `${TextPart}${(typeof suffix)[TextLanguage]}`
type ProfileTexts = Record<TextField, string>

const fieldOf = (language: TextLanguage, part: TextPart): TextField => `${part}${suffix[language]}`

/** The fields of the form by language. */
export const textFields = completeLanguages.map((language) => parts.map((part) => fieldOf(language, part)))

/** Returns a value for each field of the form. */
const forEachText = <Value,>(valueOf: (part: TextPart, language: TextLanguage) => Value) =>
  Object.fromEntries(
    completeLanguages.flatMap((language) =>
      parts.map((part) => [fieldOf(language, part), valueOf(part, language)]),
    ),
  ) as Record<TextField, Value>

const given = profileWords.shape
/** For writing: a language that the ambassador does not speak can stay empty. */
export const writtenTexts = forEachText((part) => given[part])
/** For publication, all fields are required. */
export const wholeTexts = forEachText((part) => given[part].check(z.minLength(1, 'required')))

type Words = Record<TextLanguage, ProfileWords>

export const noTexts = forEachText(() => '')
export const textsOf = (words: Words): ProfileTexts => forEachText((part, language) => words[language][part])
export const wordsOf = (texts: ProfileTexts): Words => ({
  en: { name: texts.nameEn, place: texts.placeEn, sentence: texts.sentenceEn },
  cn: { name: texts.nameCn, place: texts.placeCn, sentence: texts.sentenceCn },
})

/** Name, place, and sentence, with both languages side by side. */
export function ProfileTextFields<Values extends ProfileTexts, Output>({
  of,
  legends,
  helpOf,
  isOwn = false,
}: {
  of: ContractForm<Values, Output>
  legends: Record<TextLanguage, string>
  helpOf: (field: TextField, part: TextPart) => ReactNode
  /** Whether the person writes about themselves, so that browsers may fill in the name. */
  isOwn?: boolean
}) {
  return (
    <div className={styles.both}>
      {completeLanguages.map((language) => {
        const bound = (part: TextPart) => ({
          of,
          name: fieldOf(language, part) as Path<Values>,
          lang: htmlLanguage[language],
          help: helpOf(fieldOf(language, part), part),
        })
        return (
          <fieldset key={language} className={styles.language}>
            <legend>{legends[language]}</legend>
            <FormInput {...bound('name')} autoComplete={isOwn && language === 'en' ? 'name' : 'off'} />
            <FormInput {...bound('place')} autoComplete="off" />
            <FormTextArea {...bound('sentence')} rows={4} />
          </fieldset>
        )
      })}
    </div>
  )
}
