import type { ReactNode } from 'react'
import type { Path } from 'react-hook-form'
import * as z from 'zod/mini'
import { profileWords, type ProfileWords } from '#contract/ambassador-profiles.ts'
import { completeLanguages } from '#contract/languages.ts'
import { FormInput, FormTextArea } from '../forms/form-input.tsx'
import type { ContractForm } from '../forms/use-contract-form.ts'
import { htmlLanguage } from '../i18n/language.ts'
import styles from './profile-text-fields.module.css'

/** The fields of one language, as named in the form. */
export const textFields = {
  en: { name: 'nameEn', place: 'placeEn', sentence: 'sentenceEn' },
  cn: { name: 'nameCn', place: 'placeCn', sentence: 'sentenceCn' },
} as const

export type TextPart = keyof ProfileWords
export type TextField = (typeof textFields)[keyof typeof textFields][TextPart]
export type ProfileTexts = Record<TextField, string>

type Words = Record<keyof typeof textFields, ProfileWords>

const given = profileWords.shape
const whole = {
  name: given.name.check(z.minLength(1, 'required')),
  place: given.place.check(z.minLength(1, 'required')),
  sentence: given.sentence.check(z.minLength(1, 'required')),
}

const fieldsOf = ({ name, place, sentence }: typeof given) => ({
  nameEn: name,
  placeEn: place,
  sentenceEn: sentence,
  nameCn: name,
  placeCn: place,
  sentenceCn: sentence,
})

/** For writing: a language that the ambassador does not speak can stay empty. */
export const writtenTexts = fieldsOf(given)
/** For publication, all fields are required. */
export const wholeTexts = fieldsOf(whole)

export const textsOf = ({ en, cn }: Words): ProfileTexts => ({
  nameEn: en.name,
  placeEn: en.place,
  sentenceEn: en.sentence,
  nameCn: cn.name,
  placeCn: cn.place,
  sentenceCn: cn.sentence,
})

const nothing: ProfileWords = { name: '', place: '', sentence: '' }
export const noTexts = textsOf({ en: nothing, cn: nothing })

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
  legends: Record<(typeof completeLanguages)[number], string>
  helpOf: (field: TextField, part: TextPart) => ReactNode
  /** Whether the person writes about themselves, so that browsers may fill in the name. */
  isOwn?: boolean
}) {
  return (
    <div className={styles.both}>
      {completeLanguages.map((language) => {
        const fields = textFields[language]
        const bound = (part: TextPart) => ({
          of,
          name: fields[part] as Path<Values>,
          lang: htmlLanguage[language],
          help: helpOf(fields[part], part),
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
