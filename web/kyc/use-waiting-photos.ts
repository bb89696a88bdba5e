import { useEffect, useRef } from 'react'
import { getStagedKycPhoto, listStagedKycPhotos, photosMax } from '#contract/kyc.ts'
import { call } from '../call/call.ts'
import { useWords } from '../i18n/words.tsx'
import type { Photos } from './use-photos.ts'

/** Shows the photos again that wait on the server: the page was reloaded, or left and come back to. */
export function useWaitingPhotos(photos: Photos): void {
  const { t } = useWords()
  const latest = useRef({ photos, t })
  useEffect(() => {
    latest.current = { photos, t }
  })
  useEffect(() => {
    let isLeft = false
    async function bringBack() {
      const waiting = (await call(listStagedKycPhotos, {})).slice(0, photosMax).toReversed()
      for (const [n, { id }] of waiting.entries()) {
        const picture = await call(getStagedKycPhoto, { params: { id } }).catch(() => null)
        if (isLeft) return
        const name = latest.current.t('kyc.photo.waitingName', { number: n + 1 })
        if (picture)
          latest.current.photos.adopt(id, new File([picture as Blob], name, { type: 'image/jpeg' }))
      }
    }
    // Without an answer the form begins empty; what waits on the server gives way to what is chosen now.
    void latest.current.photos.whileReading(bringBack).catch(() => {})
    return () => {
      isLeft = true
    }
  }, [])
}
