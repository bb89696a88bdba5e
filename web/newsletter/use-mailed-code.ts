import { useEffect, useState } from 'react'

/** The fragment of an emailed link, which is never sent to a server. Undefined until the page runs in the browser. */
export function useMailedCode(): string | undefined {
  const [code, setCode] = useState<string>()
  useEffect(() => {
    const read = () => setCode(decoded(location.hash.slice(1)))
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return code
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
