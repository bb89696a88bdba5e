import { useEffect, useState } from 'react'

type Connection = { saveData?: boolean; effectiveType?: string; downlink?: number }

/** Below this width only a corner of the film would be visible, and mobile data may be expensive. */
const filmWidthMin = 960
/** Minimum in Mbit/s. Browsers report about 1.5 before any measurement, so the minimum must not be higher. */
const downlinkMin = 1

export type Client = {
  width: number
  prefersLessMotion: boolean
  savesData: boolean
  /** From the Network Information API. Browsers without it count as fast. */
  effectiveType?: string | undefined
  downlink?: number | undefined
}

/** Whether the film behind the hero can play automatically. Otherwise the picture stays. */
export function mayPlayFilm({
  width,
  prefersLessMotion,
  savesData,
  effectiveType,
  downlink,
}: Client): boolean {
  const isSlow = (effectiveType ?? '4g') !== '4g' || (downlink ?? Infinity) < downlinkMin
  return width >= filmWidthMin && !prefersLessMotion && !savesData && !isSlow
}

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
