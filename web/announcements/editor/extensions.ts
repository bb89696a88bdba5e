import type { Extensions } from '@tiptap/core'
import { Subscript } from '@tiptap/extension-subscript'
import { Superscript } from '@tiptap/extension-superscript'
import { StarterKit } from '@tiptap/starter-kit'
import { BlockLook, TextLook } from './formats.ts'
import { Film, Picture } from './media.ts'

/** Every format of a post. What is not among them does not survive the editor, and nothing else does the server's list. */
export const extensions: Extensions = [
  StarterKit.configure({
    horizontalRule: false,
    trailingNode: false,
    codeBlock: { languageClassPrefix: 'ql-', defaultLanguage: null },
    link: {
      openOnClick: false,
      autolink: false,
      linkOnPaste: true,
      protocols: ['http', 'https', 'mailto'],
      HTMLAttributes: { rel: 'noopener noreferrer nofollow', target: '_blank' },
    },
  }),
  Subscript,
  Superscript,
  TextLook,
  BlockLook,
  Picture,
  Film,
]
