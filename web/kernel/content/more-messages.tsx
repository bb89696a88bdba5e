import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { loadMessages } from './load-messages.ts'
import type { Messages, Namespace } from '../i18n/message-key.ts'
import { useLanguage, MessagesProvider, type LanguageState } from '../i18n/messages.tsx'

/**
 * Loads additional message files for its children, which are rendered once the files have arrived. On a language switch
 * they keep the previous language until then, so that nothing is remounted.
 */
export function MoreMessages({
  namespaces,
  children,
}: {
  namespaces: readonly Namespace[]
  children: ReactNode
}) {
  const languageState = useLanguage()
  const [more, setMore] = useState<{ languageState: LanguageState; messages: Messages }>()
  const latest = useRef(languageState)
  useEffect(() => {
    latest.current = languageState
  })
  const { language } = languageState
  const names = namespaces.join(' ')
  useEffect(() => {
    let isCurrent = true
    loadMessages(language, names.split(' ') as Namespace[]).then(
      (messages) => isCurrent && setMore({ languageState: latest.current, messages }),
      () => {
        // Without its messages the component is not shown.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [language, names])
  const value = useMemo(() => {
    const shown =
      more && more.languageState.language !== languageState.language ? more.languageState : languageState
    return { ...shown, messages: { ...shown.messages, ...more?.messages } }
  }, [languageState, more])
  return more && <MessagesProvider value={value}>{children}</MessagesProvider>
}
