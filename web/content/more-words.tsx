import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { loadMessages } from './load-messages.ts'
import type { Messages, Namespace } from '../i18n/message-key.ts'
import { useSpoken, WordsProvider, type Spoken } from '../i18n/words.tsx'

/**
 * Loads additional message files for its children, which are rendered once the files have arrived. On a language switch
 * they keep the previous language until then, so that nothing is remounted.
 */
export function MoreWords({
  namespaces,
  children,
}: {
  namespaces: readonly Namespace[]
  children: ReactNode
}) {
  const spoken = useSpoken()
  const [more, setMore] = useState<{ spoken: Spoken; messages: Messages }>()
  const latest = useRef(spoken)
  useEffect(() => {
    latest.current = spoken
  })
  const { language } = spoken
  const names = namespaces.join(' ')
  useEffect(() => {
    let isCurrent = true
    loadMessages(language, names.split(' ') as Namespace[]).then(
      (messages) => isCurrent && setMore({ spoken: latest.current, messages }),
      () => {
        // Without its messages the component is not shown.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [language, names])
  const value = useMemo(() => {
    const shown = more && more.spoken.language !== spoken.language ? more.spoken : spoken
    return { ...shown, messages: { ...shown.messages, ...more?.messages } }
  }, [spoken, more])
  return more && <WordsProvider value={value}>{children}</WordsProvider>
}
