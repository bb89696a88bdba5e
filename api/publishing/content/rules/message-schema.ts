import { z } from 'zod'
import { breaks } from './problem.ts'

/**
 * Matches places where an invisible character is part of the writing: joiners within scripts whose letters change with
 * their neighbors and within composed emoji, and variation selectors of an emoji or Han character.
 */
const needed =
  /(?<=[\p{Script_Extensions=Arabic}\p{Script_Extensions=Devanagari}\p{Script_Extensions=Bengali}\p{Script_Extensions=Tamil}\p{Script_Extensions=Telugu}\p{Script_Extensions=Kannada}\p{Script_Extensions=Malayalam}\p{Script_Extensions=Sinhala}\p{Script_Extensions=Khmer}\p{Script_Extensions=Myanmar}])[\u200c\u200d]|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d|(?<=[\p{Extended_Pictographic}\p{Ideographic}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/**
 * Whether one line contains no invisible characters, which could make one address look like another, or show letters in
 * a false order.
 */
export const isAllSeen = (text: string): boolean => !unseen.test(text.replaceAll(needed, ''))

/** Maximum length of a message. */
const messageLengthMax = 5000

/** One paragraph of text. */
export const messageText = z
  .string()
  .trim()
  .min(1)
  .max(messageLengthMax)
  .refine(isAllSeen, breaks('control_characters'))

/** One message file: flat, full dotted keys, one phrase each. */
export const messageSchema = z.record(
  z.string().refine((key) => /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)+$/.test(key), breaks('dotted_key')),
  messageText,
)
