/** Below this width only a corner of the film would be visible, and mobile data may be expensive. */
export const filmWidthMin = 960
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
