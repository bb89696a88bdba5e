import { writeFile } from 'node:fs/promises'

export type Caption = { start: number; end: number; en: string; cn: string }

const LANGUAGES = ['en', 'cn'] as const

function clock(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 23)
}

/** Writes the words of a film as WebVTT, one file per language. */
export async function writeCaptions(captions: Caption[], base: string): Promise<void> {
  for (const language of LANGUAGES) {
    const cues = captions.map(
      ({ start, end, [language]: words }) => `${clock(start)} --> ${clock(end)}\n${words}`,
    )
    await writeFile(`${base}-${language}.vtt`, `WEBVTT\n\n${cues.join('\n\n')}\n`)
  }
}
