import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { loadMessages } from './load-messages.ts'
import type { Messages, Namespace } from './message-key.ts'
import { useSpoken, WordsProvider, type Spoken } from './words.tsx'

/**
 * Brings the words of further files to the parts within, which are shown once they are there. Until those of another
 * language have come they go on in the one before: nothing is mounted anew.
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
        // Without its words the part stays away.
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
