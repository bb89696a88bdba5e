import { useEffect, useRef } from 'react'
import { getStagedKycPhoto, listStagedKycPhotos, photosMax } from '#contract/kyc.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import type { Photos } from './use-photos.ts'

/** Shows pending uploads again after the page was reloaded or left. */
export function usePendingUploads(photos: Photos): void {
  const { t } = useMessages()
  const latest = useRef({ photos, t })
  useEffect(() => {
    latest.current = { photos, t }
  })
  useEffect(() => {
    let isLeft = false
    async function bringBack() {
      // Newest first, so that the oldest are left out if others were selected in the meantime.
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
    // If the request fails, the form starts empty, and pending uploads make room for newly selected photos.
    void latest.current.photos.whileReading(bringBack).catch(() => {})
    return () => {
      isLeft = true
    }
  }, [])
}
