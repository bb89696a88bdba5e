import { findSample } from '../content/sample/find-sample.ts'
import { countSubscribers } from '../newsletter/subscriber.queries.ts'
import { checked, type Check } from './check.ts'

const placesMax = 5

/** Checks the content of a production installation; a demo may show the sample. */
export const checkContent: Check = async ({ config, content, db }) => {
  const places = findSample({
    ...content,
    brand: content.brand(),
    media: content.documents().map(({ file, sha256 }) => ({ place: `media/pdfs/${file}`, sha256 })),
  })
  const isReal = config.isProduction && !config.isDemo
  const { address } = content.brand()
  const isMailed = config.smtpUrl !== undefined && (await countSubscribers(db)).length > 0
  return checked('content', {
    facts: {
      sampleCount: places.length,
      samplePlaces: places.slice(0, placesMax).join(', ') || undefined,
    },
    problems: {
      content_sample: isReal && places.length > 0,
      postal_address_missing:
        isReal && isMailed && Object.values(address).some((lines) => lines.length === 0),
    },
  })
}
