import type { MouseEvent } from 'react'
import { languages, type Language } from '#contract/languages.ts'
import { htmlLanguage, languageName } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Dropdown } from './dropdown.tsx'
import { Hidden } from '../hidden.tsx'

/** Each language under its own name. Without JavaScript, the links load the page in that language from the server. */
export function LanguageMenu() {
  const { t, language, setLanguage } = useMessages()
  const choose = (event: MouseEvent, chosen: Language) => {
    event.preventDefault()
    void setLanguage(chosen)
  }
  const label = (
    <span>
      <Hidden>{t('layout.language.menu')} </Hidden>
      {languageName[language]}
    </span>
  )
  return (
    <Dropdown label={label}>
      <ul>
        {languages.map((each) => (
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
              {languageName[each]}
            </a>
          </li>
        ))}
      </ul>
    </Dropdown>
  )
}
