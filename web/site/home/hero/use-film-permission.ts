import { useEffect, useState } from 'react'
import { filmWidthMin, mayPlayFilm } from './may-play-film.ts'

type Connection = { saveData?: boolean; effectiveType?: string; downlink?: number }

const wishes = {
  less: '(prefers-reduced-motion: reduce)',
  wide: `(min-width: ${filmWidthMin}px)`,
  data: '(prefers-reduced-data: reduce)',
}

/**
 * Whether the film can play. False until everything else has loaded, and updated when the reader's preferences change.
 */
export function useFilmPermission(): boolean {
  const [isAllowed, setAllowed] = useState(false)
  useEffect(() => {
    const ask = () => setAllowed(mayPlayFilm(clientNow()))
    const queries = Object.values(wishes).map((query) => matchMedia(query))
    const begin = () => {
      ask()
      for (const query of queries) query.addEventListener('change', ask)
    }
    if (document.readyState === 'complete') begin()
    else addEventListener('load', begin, { once: true })
    return () => {
      removeEventListener('load', begin)
      for (const query of queries) query.removeEventListener('change', ask)
    }
  }, [])
  return isAllowed
}

function clientNow() {
  const { connection } = navigator as Navigator & { connection?: Connection }
  return {
    width: innerWidth,
    prefersLessMotion: matchMedia(wishes.less).matches,
    savesData: connection?.saveData === true || matchMedia(wishes.data).matches,
    effectiveType: connection?.effectiveType,
    downlink: connection?.downlink,
  }
}
