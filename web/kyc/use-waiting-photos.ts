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
      // The newest first, so that the oldest find no place where others were chosen meanwhile.
      const waiting = (await call(listStagedKycPhotos, {})).slice(0, photosMax)
      for (const [n, { id }] of waiting.entries()) {
        const picture = await call(getStagedKycPhoto, { params: { id } }).catch(() => null)
        if (isLeft) return
        if (!picture) continue
        const name = latest.current.t('kyc.photo.waitingName', { number: waiting.length - n })
        const file = new File([picture as Blob], name, { type: 'image/jpeg' })
        if (!latest.current.photos.bringBack(id, file)) return
      }
    }
    // Without an answer the form begins empty; what waits on the server gives way to what is chosen now.
    void latest.current.photos.whileReading(bringBack).catch(() => {})
    return () => {
      isLeft = true
    }
  }, [])
}
