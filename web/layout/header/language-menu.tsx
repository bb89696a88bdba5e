import type { MouseEvent } from 'react'
import type { Language } from '#contract/fields.ts'
import { htmlLanguage, offeredLanguages } from '../../i18n/language.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Dropdown } from './dropdown.tsx'
import { Hidden } from '../hidden.tsx'

const names: Record<Language, PlainKey> = { en: 'layout.language.en', cn: 'layout.language.cn' }

/** Each language by its own name. Without script the links load the page in that language from the server. */
export function LanguageMenu() {
  const { t, language, setLanguage } = useWords()
  const choose = (event: MouseEvent, chosen: Language) => {
    event.preventDefault()
    void setLanguage(chosen)
  }
  const label = (
    <span>
      <Hidden>{t('layout.language.menu')} </Hidden>
      {t(names[language])}
    </span>
  )
  return (
    <Dropdown label={label}>
      <ul>
        {offeredLanguages.map((each) => (
          <li key={each}>
            <a
              href={`?language=${each}`}
              rel="nofollow"
              lang={htmlLanguage[each]}
              hrefLang={htmlLanguage[each]}
              data-language={each}
              aria-current={each === language ? 'true' : undefined}
              onClick={(event) => choose(event, each)}
            >
              {t(names[each])}
            </a>
          </li>
        ))}
      </ul>
    </Dropdown>
  )
}
