import { useEffect, useState } from 'react'

/** What stands behind the hash of a mailed link: it is sent to no server. Undefined until the browser has the page. */
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
