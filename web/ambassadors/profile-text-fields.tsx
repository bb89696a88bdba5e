import type { ReactNode } from 'react'
import type { Path } from 'react-hook-form'
import { completeLanguages } from '#contract/languages.ts'
import { FormInput, FormTextArea } from '../forms/form-input.tsx'
import type { ContractForm } from '../forms/use-contract-form.ts'
import { htmlLanguage } from '../i18n/language.ts'
import styles from './profile-text-fields.module.css'
import { textFields, type ProfileTexts, type TextField, type TextPart } from './profile-texts.ts'

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
