/** Below this width the film would be cropped to a corner of itself, and phones pay for it. */
export const filmWidthMin = 960
/** Mbit/s. Browsers that have measured nothing yet say 1.5 or so: more must not be asked for. */
export const downlinkMin = 1

export type Client = {
  width: number
  prefersLessMotion: boolean
  savesData: boolean
  /** As the Network Information API has it; browsers without it say nothing and count as quick. */
  effectiveType?: string | undefined
  downlink?: number | undefined
}

/** Whether the film behind the hero may start by itself; everyone else keeps its picture. */
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
