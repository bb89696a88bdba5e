import { useLayoutEffect } from 'react'

/** Opens the question named in the URL, even when the URL changes while the page is shown. */
export function useAddressedQuestion(): void {
  useLayoutEffect(() => {
    const open = () => {
      const answer = document.getElementById(location.hash.slice(1))
      const question = answer?.closest('details')
      if (!question || question.open) return
      question.open = true
      answer?.scrollIntoView()
    }
    open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])
}
