import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { loadMessages } from './load-messages.ts'
import type { Messages, Namespace } from './message-key.ts'
import { useSpoken, WordsProvider } from './words.tsx'

/** Brings the words of further files to the parts within, which are shown once they are there. */
export function MoreWords({
  namespaces,
  children,
}: {
  namespaces: readonly Namespace[]
  children: ReactNode
}) {
  const spoken = useSpoken()
  const [more, setMore] = useState<{ language: string; messages: Messages }>()
  const { language } = spoken
  const names = namespaces.join(' ')
  useEffect(() => {
    let isCurrent = true
    loadMessages(language, names.split(' ') as Namespace[]).then(
      (messages) => isCurrent && setMore({ language, messages }),
      () => {
        // Without its words the part stays away.
      },
    )
    return () => {
      isCurrent = false
    }
  }, [language, names])
  const value = useMemo(
    () => ({ ...spoken, messages: { ...spoken.messages, ...more?.messages } }),
    [spoken, more],
  )
  return more?.language === language && <WordsProvider value={value}>{children}</WordsProvider>
}
