import { useCallback, useEffect, useRef, useState } from 'react'
import { getKycPhoto } from '#contract/kyc.ts'
import { call } from '../../../call/call.ts'

export type PhotoUrl = { url: string } | { failure: unknown } | undefined

/**
 * Pictures of a case, each fetched when it is first viewed, because every fetch is logged as a view. They are held in
 * memory only and released with the case.
 */
export function usePhotoUrls(
  id: string,
  n: number,
): { urls: Readonly<Record<number, PhotoUrl>>; retry: () => void } {
  const [urls, setUrls] = useState<Readonly<Record<number, PhotoUrl>>>({})
  const made = useRef(new Map<number, string>())
  const requested = useRef(new Set<number>())
  const fetchPhoto = useCallback(
    async (wanted: number, isWanted: () => boolean) => {
      const picture = await call(getKycPhoto, { params: { id, n: wanted } }).then(
        (blob): PhotoUrl => ({ url: URL.createObjectURL(blob as Blob) }),
        (failure: unknown): PhotoUrl => ({ failure }),
      )
      if (picture && 'url' in picture) {
        if (!isWanted()) return URL.revokeObjectURL(picture.url)
        made.current.set(wanted, picture.url)
      }
      setUrls((before) => ({ ...before, [wanted]: picture }))
    },
    [id],
  )
  const isHere = useRef(true)
  useEffect(() => {
    const urlsMade = made.current
    const wantedBefore = requested.current
    isHere.current = true
    return () => {
      isHere.current = false
      for (const url of urlsMade.values()) URL.revokeObjectURL(url)
      urlsMade.clear()
      wantedBefore.clear()
    }
  }, [])
  useEffect(() => {
    if (requested.current.has(n)) return
    requested.current.add(n)
    void fetchPhoto(n, () => isHere.current)
  }, [n, fetchPhoto])
  const retry = () => {
    setUrls((before) => ({ ...before, [n]: undefined }))
    void fetchPhoto(n, () => isHere.current)
  }
  return { urls, retry }
}
