import type { Work } from '#contract/platform/proof-of-work.ts'
import { findNumber } from './find-number.ts'

// A worker that receives a challenge and posts the number of each part, one after another.
addEventListener('message', ({ data }: MessageEvent<Work>) => {
  for (let part = 0; part < data.parts; part += 1) postMessage(findNumber(data.challenge, part, data.below))
})
